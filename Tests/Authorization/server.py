"""An authorization server of Authlib, for the tests of logins and signed clients.

    python3 server.py FOLDER

It prints its origin, and writes into FOLDER the private keys of its clients: RS256.pem and others.
The clients are named after the algorithms. 'app' has no secret, and 'shop' has the secret
'shop-secret-of-many-bytes-for-hs256'. Each refresh token is good once. A code is typed with
GET /approve?user_code=…, and the signed tokens that were verified are listed by GET /verified.
"""

import json
import os
import secrets
import sys
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import ClientMixin, grants
from authlib.oauth2.rfc6749.errors import InvalidGrantError
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion, JWTBearerGrant
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant
from authlib.oauth2.rfc9207 import IssuerParameter
from flask import Flask, jsonify, request
from joserfc import jws, jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
from werkzeug.serving import WSGIRequestHandler, make_server

SECRET = "shop-secret-of-many-bytes-for-hs256"
app = Flask(__name__)
codes, tokens, refresh_tokens, devices, approved, seen = {}, {}, {}, {}, {}, set()
verified = []


class Client(ClientMixin):
    def __init__(self, name, methods, key=None, algorithm=None, secret=None):
        self.name, self.methods = name, methods
        self.key, self.algorithm, self.secret = key, algorithm, secret

    def get_client_id(self):
        return self.name

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return " ".join(word for word in (scope or "").split() if word in ("read", "write"))

    def check_redirect_uri(self, uri):
        # RFC 8252 §7.3: any port of the loopback.
        return uri.startswith("http://127.0.0.1:") and uri.endswith("/")

    def check_client_secret(self, secret):
        return self.secret is not None and self.secret == secret

    def check_endpoint_auth_method(self, method, endpoint):
        return method in self.methods

    def check_response_type(self, kind):
        return kind == "code"

    def check_grant_type(self, kind):
        return True


def make_keys(folder):
    keys = {name: RSAKey.generate_key(2048) for name in ("RS256", "RS384", "RS512")}
    for name, curve in (("ES256", "P-256"), ("ES384", "P-384"), ("ES512", "P-521")):
        keys[name] = ECKey.generate_key(curve)
    keys["EdDSA"] = OKPKey.generate_key("Ed25519")
    for name, key in keys.items():
        with open(os.path.join(folder, name + ".pem"), "wb") as file:
            file.write(key.as_pem(private=True))
    return keys


class Person:
    id = "ada"

    def get_user_id(self):
        return self.id


class Grant(dict):
    """A code, a refresh token or the code of a device, with what it stands for."""

    def get_redirect_uri(self):
        return self["redirect_uri"]

    def get_scope(self):
        return self["scope"]

    def get_client_id(self):
        return self["client_id"]

    def get_user_code(self):
        return self["user_code"]

    def is_expired(self):
        return time.time() > self["end"]

    def check_client(self, client):
        return self["client_id"] == client.get_client_id()

    code_challenge = property(lambda self: self["challenge"])
    code_challenge_method = property(lambda self: self["method"])


METHODS = ["none", "client_secret_basic", "client_secret_post", "client_assertion_jwt"]


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code, asked):
        codes[code] = Grant(
            client_id=asked.client.get_client_id(), redirect_uri=asked.payload.redirect_uri,
            scope=asked.payload.scope, challenge=asked.payload.data.get("code_challenge"),
            method=asked.payload.data.get("code_challenge_method"), end=time.time() + 60)
        return code

    def query_authorization_code(self, code, client):
        return codes.get(code)

    def delete_authorization_code(self, grant):
        for code in [code for code, other in codes.items() if other is grant]:
            del codes[code]

    def authenticate_user(self, grant):
        return Person()


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, token):
        self.token = token
        return refresh_tokens.get(token)

    def authenticate_user(self, grant):
        return Person()

    def revoke_old_credential(self, grant):
        del refresh_tokens[self.token]


class ClientGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def query_device_credential(self, code):
        return devices.get(code)

    def query_user_grant(self, user_code):
        return (Person(), approved[user_code]) if user_code in approved else None

    def should_slow_down(self, grant):
        grant["asked"] = grant.get("asked", 0) + 1
        return grant["asked"] == 1 and grant["slow"]


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = METHODS
    INTERVAL = 0

    def get_verification_uri(self):
        return request.host_url + "approve"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = Grant(
            client_id=client_id, scope=scope, user_code=data["user_code"],
            end=time.time() + data["expires_in"], slow=False)


def check(kind, assertion, client):
    """Verifies a token with the one algorithm that its client has. Authlib itself takes only the
    usual ones."""
    token = jwt.decode(assertion, client.key, algorithms=[client.algorithm])
    assert token.claims["exp"] - token.claims["iat"] <= 600
    verified.append(
        {"kind": kind, "algorithm": token.header["alg"], "kid": token.header.get("kid"),
         "claims": token.claims})
    return token.claims


class Assertion(JWTBearerClientAssertion):
    def get_audiences(self):
        return [request.host_url + "token"]

    def resolve_client_public_key(self, client):
        return client.key

    def process_assertion_claims(self, assertion, key):
        payload = jws.extract_compact(assertion.encode()).payload
        client = clients[json.loads(payload)["sub"]]
        claims = check("client", assertion, client)
        self.verify_claims(claims)
        return claims

    def validate_jti(self, claims, jti):
        is_new = (claims["sub"], jti) not in seen
        seen.add((claims["sub"], jti))
        return is_new


class BearerGrant(JWTBearerGrant):
    def get_audiences(self):
        return [request.host_url + "token"]

    def resolve_issuer_client(self, issuer):
        return clients.get(issuer)

    def resolve_client_public_key(self, client):
        return client.key

    def process_assertion_claims(self, assertion):
        _, claims = self.extract_assertion(assertion)
        client = clients.get(claims.get("iss"))
        if client is None:
            raise InvalidGrantError(description="The client is unknown.")
        claims = check("grant", assertion, client)
        self.verify_claims(claims)
        return claims

    def authenticate_user(self, subject):
        return Person() if subject == "ada" else None

    def has_granted_permission(self, client, user):
        return True


class Issuer(IssuerParameter):
    def get_issuer(self):
        return request.host_url.rstrip("/")


def save_token(token, asked):
    name = asked.client.get_client_id()
    tokens[token["access_token"]] = name
    if "refresh_token" in token:
        refresh_tokens[token["refresh_token"]] = Grant(
            client_id=name, scope=token.get("scope", ""), end=time.time() + 3600)


def make_token(grant_type, client, user=None, scope=None, expires_in=None,
               include_refresh_token=True):
    token = {"token_type": "Bearer", "access_token": secrets.token_urlsafe(24), "expires_in": 0,
             "scope": scope or ""}
    if include_refresh_token:
        token["refresh_token"] = secrets.token_urlsafe(24)
    return token


server = AuthorizationServer(app, lambda name: clients.get(name), save_token)
server.register_token_generator("default", make_token)
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
for kind in (RefreshGrant, ClientGrant, DeviceGrant, BearerGrant):
    server.register_grant(kind)
server.register_endpoint(DeviceEndpoint)
server.register_extension(Issuer())
server.register_client_auth_method("client_assertion_jwt", Assertion())


@app.get("/authorize")
def authorize():
    try:
        grant = server.get_consent_grant(end_user=Person())
    except OAuth2Error as error:
        return dict(error.get_body()), 400
    person = None if request.args.get("decision") == "deny" else Person()
    return server.create_authorization_response(grant_user=person, grant=grant)


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/device")
def device():
    return server.create_endpoint_response("device_authorization")


@app.get("/approve")
def approve():
    approved[request.args["user_code"]] = request.args.get("decision") != "deny"
    return "thank you"


@app.get("/me")
def me():
    name = tokens.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
    return (jsonify(client=name), 200) if name else (jsonify(error="invalid_token"), 401)


@app.get("/verified")
def list_verified():
    return jsonify(verified)


if __name__ == "__main__":
    keys = make_keys(sys.argv[1])
    clients = {
        name: Client(name, ["client_assertion_jwt"], key, name) for name, key in keys.items()
    }
    clients["app"] = Client("app", ["none"])
    clients["shop"] = Client(
        "shop", ["client_secret_basic", "client_secret_post", "client_assertion_jwt"],
        OctKey.import_key(SECRET), "HS256", SECRET)
    WSGIRequestHandler.protocol_version = "HTTP/1.1"
    listener = make_server("127.0.0.1", 0, app, threaded=True)
    print(f"http://127.0.0.1:{listener.port}", flush=True)
    listener.serve_forever()
