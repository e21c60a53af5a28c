// Tests of the page's modules that touch no document: node --test Tests/Distribution/page.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const load = (name) => {
  const source = readFileSync(
    new URL(`../../Sources/PipelinePages/Page/${name}.js`, import.meta.url), "utf8");
  return import(`data:text/javascript,${encodeURIComponent(source)}`);
};
const {
  addressOf, counting, findingsOf, levelOf, matching, needing, resultOf, viewOf, visible,
} = await load("files");
const {
  applied, indentation, lineStarts, merged, offsetAt, pieces, positionAt, splice, stepsOf,
} = await load("text");

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
  const none = { file: null, text: "", view: "write", place: null };
  for (const view of [
    none, { ...none, text: "a b&c=d#e%" }, { ...none, file: "a/b &?#.json" },
    { ...none, file: "a.json", view: "run" }, { ...none, file: "a", place: { line: 0, character: 7 } },
  ]) {
    assert.deepEqual(viewOf(addressOf(view).slice(1)), view);
  }
  assert.equal(addressOf({ text: "" }), "/");
});

test("a text has pieces with a kind, in order, and loses nothing", () => {
  const text = '{"a": ["x{{b}}y", "$.c", -1.5e3, true, "open\n, "k" :null}';
  const kinds = pieces(text).map(({ from, to, kind }) => `${kind} ${text.slice(from, to)}`);
  assert.deepEqual(kinds, [
    'key "a"', 'text "x', "template {{b}}", 'text y"', 'query "$.c"', "number -1.5e3", "number true",
    'text "open', 'key "k"', "number null",
  ]);
  let end = 0;
  for (const piece of pieces(text)) {
    assert.ok(piece.from >= end && piece.to > piece.from);
    end = piece.to;
  }
});

test("offsets and positions are each other's inverse", () => {
  const text = "ab\n\n👍c\n";
  const starts = lineStarts(text);
  for (let at = 0; at <= text.length; at += 1) {
    assert.equal(offsetAt(text, starts, positionAt(starts, at)), at);
  }
  assert.equal(offsetAt(text, starts, { line: 0, character: 99 }), 2);
  assert.equal(offsetAt(text, starts, { line: 99, character: 0 }), text.length);
});

test("edits are all of the text before", () => {
  const edit = (line, from, to, newText) => ({
    range: { start: { line, character: from }, end: { line, character: to } }, newText,
  });
  assert.equal(applied("abc\ndef", [edit(1, 1, 2, "E"), edit(0, 0, 1, "xx"), edit(0, 3, 3, "!"), edit(0, 3, 3, "?")]),
    "xxbc!?\ndEf");
});

test("a splice is the smallest change", () => {
  assert.equal(splice("same", "same"), null);
  assert.deepEqual(splice("aXb", "aYYb"), { from: 1, to: 2, text: "YY" });
  assert.deepEqual(splice("aaa", "aaaa"), { from: 3, to: 3, text: "a" });
});

test("changes of different lines are merged, and of the same never", () => {
  const base = "1\n2\n3\n4\n5\n";
  assert.equal(merged(base, "1\nmine\n3\n4\n5\n", "1\n2\n3\n4\ntheirs\n"), "1\nmine\n3\n4\ntheirs\n");
  assert.equal(merged(base, "1\nmine\n3\n4\n5\n", "1\ntheirs\n3\n4\n5\n"), null);
  assert.equal(merged(base, "1\n3\n4\n5\n", "1\n2\nnew\n3\n4\n5\n"), null);
  assert.equal(merged(base, "1\nboth\n3\n4\n5\n", "1\nboth\n3\n4\n5\n6\n"), "1\nboth\n3\n4\n5\n6\n");
  assert.equal(merged(base, base, "other"), "other");
  assert.equal(merged(base, "mine", base), "mine");
});

test("a merge has every change of both, at random", () => {
  let seed = 7;
  const random = (below) => { seed = (seed * 48271) % 2147483647; return seed % below; };
  let merges = 0;
  for (let round = 0; round < 500; round += 1) {
    const base = Array.from({ length: 12 }, (_, n) => `line ${n}`);
    const change = (name) => base.flatMap((line, n) => (random(9) === 0 ? (random(2) ? [] : [`${name} ${n}`]) : [line]));
    const [mine, theirs] = [change("mine"), change("theirs")];
    const result = merged(base.join("\n"), mine.join("\n"), theirs.join("\n"));
    if (result === null) continue;
    merges += 1;
    const lines = result.split("\n");
    for (const line of [...mine, ...theirs]) {
      if (!base.includes(line)) assert.ok(lines.includes(line), `${line} is lost`);
    }
    for (const line of base) {
      const isKept = mine.includes(line) && theirs.includes(line);
      assert.equal(lines.includes(line), isKept, `${line} in round ${round}`);
    }
  }
  assert.ok(merges > 50);
});

test("a new line begins as the one before, and steps have paths", () => {
  assert.equal(indentation("a\n  \tb", 5), "  \t");
  const range = { start: 0, end: 1 };
  const step = (name, kind, children = []) => ({ name, kind, range, selectionRange: range, children });
  assert.deepEqual(
    stepsOf([step("api", 13), step("a", 12, [step("x", 13)]), step("b", 3, [step("c", 12)])]).map((s) => s.path),
    ["a", "b", "b.c"]);
});
