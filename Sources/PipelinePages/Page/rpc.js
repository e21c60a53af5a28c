// Calls of the server. All that is known of files, workflows and runs comes from here.

/** A call that the server refused, or that did not reach it (status 0). */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

let count = 0;

/** Calls a method of the server by JSON-RPC, and gives its result. */
export async function call(method, params) {
  let response;
  try {
    response = await fetch("/rpc", {
      method: "POST", cache: "no-store", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++count, method, params }),
    });
  } catch {
    throw new Refusal(0, "pipeline does not answer: it was stopped. Start 'pipeline ui' again.");
  }
  if (!response.ok) throw new Refusal(response.status, (await response.text()).trim());
  const message = await response.json();
  if (message.error) throw new Refusal(200, message.error.message);
  return message.result;
}

/**
 * The drawing of a text's steps, or null if the text has errors. It is parsed as a document, which
 * runs nothing; text that becomes markup in this page is forbidden.
 */
export function drawing(path, text) {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/graph.svg");
    request.responseType = "document";
    request.setRequestHeader("Content-Type", "application/json");
    request.onload = () => done(request.status === 200 ? request.responseXML?.documentElement ?? null : null);
    request.onerror = () => done(null);
    request.send(JSON.stringify({ path, text }));
  });
}

/**
 * Follows a run: `news` gets what is known of it, again and again until it has ended.
 *
 * @returns What `close()` ends.
 */
export function listen(run, news, failed) {
  const source = new EventSource(`/events?run=${encodeURIComponent(run)}`);
  source.onmessage = (event) => news(JSON.parse(event.data));
  source.addEventListener("end", () => source.close());
  // A browser tries again by itself, unless it was refused.
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) failed("pipeline does not answer, or does not know this run.");
  };
  return source;
}
