"use strict";
// The streams between an editor and `pipeline lsp`: JSON-RPC 2.0 with Content-Length.

const { spawn } = require("child_process");

class Connection {
  /**
   * @param {string} program
   * @param {(method: string, parameters: any) => any} handle Answers what the server asks or says.
   * @param {(reason: string) => void} ended Called once, when the server is gone.
   */
  constructor(program, handle, ended) {
    this.handle = handle;
    this.waiting = new Map();
    this.number = 0;
    this.input = Buffer.alloc(0);
    this.errors = "";
    this.isOpen = true;
    const end = (reason) => {
      if (!this.isOpen) return;
      this.isOpen = false;
      for (const { reject } of this.waiting.values()) reject(new Error(reason));
      this.waiting.clear();
      ended(reason);
    };
    this.process = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "pipe"] });
    this.process.on("error", (error) => end(error.message));
    this.process.on("exit", (code) => end(this.errors.trim() || `it ended with status ${code}`));
    // A pipe that breaks is reported by "exit".
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (bytes) => this.receive(bytes));
    this.process.stderr.on("data", (bytes) => {
      this.errors = (this.errors + bytes).slice(-2000);
    });
  }

  receive(bytes) {
    this.input = Buffer.concat([this.input, bytes]);
    for (;;) {
      const end = this.input.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = /content-length: *(\d+)/i.exec(this.input.toString("latin1", 0, end));
      const start = end + 4;
      const size = length ? Number(length[1]) : 0;
      if (this.input.length < start + size) return;
      const message = JSON.parse(this.input.toString("utf8", start, start + size));
      this.input = this.input.subarray(start + size);
      this.dispatch(message);
    }
  }

  async dispatch(message) {
    if (message.method === undefined) {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (!waiting) return;
      if (message.error) waiting.reject(new Error(message.error.message));
      else waiting.resolve(message.result);
      return;
    }
    if (message.id === undefined) {
      this.handle(message.method, message.params);
      return;
    }
    try {
      const result = await this.handle(message.method, message.params);
      this.write({ id: message.id, result: result === undefined ? null : result });
    } catch (error) {
      this.write({ id: message.id, error: { code: error.code || -32603, message: error.message } });
    }
  }

  write(message) {
    if (!this.isOpen) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  notify(method, params) {
    this.write({ method, params });
  }

  /** @param cancellation A CancellationToken of the editor, if the question has one. */
  request(method, params, cancellation) {
    if (!this.isOpen) return Promise.reject(new Error("the server is not running"));
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.write({ id, method, params });
      if (cancellation) {
        cancellation.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
      }
    });
  }

  /** Ends the server as the protocol has it, and kills it if it does not end. */
  async stop() {
    if (!this.isOpen) return;
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    const timer = setTimeout(() => this.process.kill(), 2000);
    try {
      await this.request("shutdown", null);
      this.notify("exit", undefined);
      await gone;
    } catch {
      // It went away before it answered.
    }
    clearTimeout(timer);
  }
}

module.exports = { Connection };
