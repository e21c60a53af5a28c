// Tests of the page's module that touches no document: node --test Tests/Distribution/page.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const source = readFileSync(
  new URL("../../Sources/PipelinePages/Page/files.js", import.meta.url), "utf8");
const {
  addressOf, counting, findingsOf, levelOf, matching, needing, resultOf, viewOf, visible,
} = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const file = (path, more = {}) => ({ path, name: "", description: "", findings: [], ...more });
const finding = (severity) => ({ severity });

test("findings are counted by severity, and the worst decides", () => {
  assert.deepEqual(findingsOf(file("a")), { level: "ok", text: "no findings" });
  assert.deepEqual(
    findingsOf(file("a", { findings: ["note", "error", "warning", "error"].map(finding) })),
    { level: "bad", text: "2 errors, 1 warning, 1 note" });
  assert.equal(findingsOf(file("a", { findings: [finding("warning")] })).level, "warn");
  assert.equal(findingsOf(file("a", { findings: [finding("note")] })).level, "idle");
  assert.equal(counting(0, "file"), "0 files");
});

test("requests in doubt come before the state of a run", () => {
  const run = { status: "succeeded", failed: 0, inDoubt: 2 };
  assert.equal(levelOf(run), "warn");
  assert.equal(resultOf(run), "2 requests in doubt");
  assert.equal(resultOf({ status: "failed", failed: 3, inDoubt: 0 }), "3 failed");
  assert.equal(levelOf({ status: "unheard", inDoubt: 0 }), "idle");
});

test("a filter needs all of its words, in any order and case", () => {
  const files = [file("a/Users.json"), file("b.json", { description: "lists the users of a shop" })];
  assert.deepEqual(matching(files, "SHOP users").map((f) => f.path), ["b.json"]);
  assert.equal(matching(files, "  ").length, 2);
  assert.equal(matching(files, "(").length, 0);
});

test("errors, failures, interruptions and doubts need a person", () => {
  const run = (status, inDoubt = 0) => ({ run: { status, inDoubt, failed: 0 } });
  const files = [
    file("fine", run("succeeded")), file("failed", run("failed")), file("cut", run("interrupted")),
    file("doubt", run("cancelled", 1)), file("stopped", run("cancelled")), file("new"),
    file("error", { findings: [finding("error")] }), file("warning", { findings: [finding("warning")] }),
  ];
  assert.deepEqual(needing(files).map((f) => f.path), ["failed", "cut", "doubt", "error"]);
});

test("controls and bidi marks become visible, and nothing else changes", () => {
  assert.equal(visible("a\u0000\u001b\u202e\u2066\u200b\u2028z"),
    "a\\u{0}\\u{1b}\\u{202e}\\u{2066}\\u{200b}\\u{2028}z");
  assert.equal(visible("<b>é 日本 👍 & \"'"), "<b>é 日本 👍 & \"'");
});

test("a view and its address are the same thing", () => {
  for (const view of [
    { file: null, text: "" }, { file: null, text: "a b&c=d#e%" }, { file: "a/b &?#.json", text: "" },
  ]) {
    assert.deepEqual(viewOf(addressOf(view).slice(1)), view);
  }
  assert.equal(addressOf({ text: "" }), "/");
});
