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

const { failuresOf, lanesOf, loopsOf, runState, stateOf, timeText, waitsOf } = await load("live");
const { openRows, rowsOf } = await load("json");
const { isSameSource, sourceNames, sourceWords } = await load("sources");

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
  const none = {
    file: null, text: "", view: "write", place: null, row: null, ignored: [], run: null, only: null,
    recording: null, step: null, filter: null, other: null,
  };
  for (const view of [
    none, { ...none, text: "a b&c=d#e%" }, { ...none, file: "a/b &?#.json" },
    { ...none, file: "a.json", view: "run", run: "0a", only: "list" },
    { ...none, file: "a.json", view: "answers", recording: "b c/a.har", step: "list" },
    { ...none, file: "a", place: { line: 0, character: 7 } },
    { ...none, file: "a", view: "answers", run: "1", step: "a.b", row: 0, filter: "failed" },
    { ...none, file: "a", view: "history", run: "1", other: "2", ignored: ["list.total", "user[0]['a&b']"] },
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

const outcomes = { succeeded: 0, recovered: 0, skipped: 0, failed: 0, cancelled: 0, unfinished: 0 };
const traced = (more) => ({ id: "a", after: [], outcomes, uses: [], requests: 0, retries: 0, ...more });

test("a step that has begun and not ended is under way, or was cut off", () => {
  assert.equal(stateOf(traced({ start: 1 }), true).word, "running");
  assert.equal(stateOf(traced({ start: 1 }), false).word, "cut off");
  assert.equal(stateOf(traced({}), true).word, "not begun");
  assert.equal(stateOf(traced({ start: 1, end: 2, outcomes: { ...outcomes, succeeded: 2, failed: 1 } }), false).level, "bad");
  assert.equal(stateOf(traced({ start: 1, end: 2, outcomes: { ...outcomes, succeeded: 2, recovered: 1 } }), false).level, "warn");
});

test("a run in doubt is not called anything else", () => {
  assert.equal(runState({ isRunning: true, inDoubt: 1 }).word, "running");
  assert.equal(runState({ isRunning: false, status: "interrupted", inDoubt: 2 }).word, "2 requests in doubt");
  assert.equal(runState({ isRunning: false, status: "cancelled", inDoubt: 0 }).word, "stopped");
  assert.equal(runState({ isRunning: false, exit: 2 }).word, "not begun");
  assert.equal(runState({ isRunning: false, exit: 0 }).level, "ok");
});

test("lanes have their place in the time of the run, and what held it back", () => {
  const steps = [traced({ start: 0, end: 500, outcomes: { ...outcomes, succeeded: 1 } }),
    traced({ id: "a.b", parent: 0, start: 250 }), traced({ id: "c", after: ["a"] })];
  const part = (step, start, end, ...uses) => ({ step, start, end, links: 1, uses: uses.map(([use, time]) => ({ use, time })) });
  const path = [part(0, 0, 100, ["engine", 100]), part(1, 100, 400, ["server", 100], ["rate", 200]),
    part(1, 400, 700, ["rate", 300]), part(1, 700, 1000, ["retry", 300])];
  const [a, b, c] = lanesOf({ duration: 1000, steps, path }, true);
  assert.deepEqual([a.left, a.width, a.depth, a.held.length], [0, 0.5, 0, 0]);
  assert.deepEqual([b.left, b.width, b.depth, b.name], [0.25, 0.75, 1, "b"]);
  assert.deepEqual(b.held.map(({ use, left, time }) => [use, left, time]), [["rate", 0.1, 600], ["retry", 0.7, 300]]);
  assert.deepEqual([c.start, c.time, c.state.word, c.after], [null, "", "not begun", ["a"]]);
});

test("a loop is counted by state, and its failures have a place in time", () => {
  const step = traced({ isCollection: true, start: 0, end: 40, items: 10, density: { width: 10, good: [3, 0, 2, 0], bad: [0, 0, 2, 1] } });
  const [loop] = loopsOf({ duration: 40, steps: [step, traced({ start: 1 })], path: [] });
  assert.deepEqual([loop.total, loop.good, loop.bad, loop.left], [10, 5, 3, 2]);
  assert.deepEqual(loop.strip.slice(0, 4), [0, -1, 0.5, 1]);
});

test("failures that differ in numbers alone are one group", () => {
  const failure = (step, message, item) => ({ step, message, item });
  const groups = failuresOf({ failures: [failure("a", "status 500 of 1", 1), failure("b", "no"), failure("a", "status 500 of 22", 2)] });
  assert.deepEqual(groups.map((group) => [group.step, group.count, group.items]), [["a", 2, [1, 2]], ["b", 1, []]]);
});

test("times are read as people say them", () => {
  assert.deepEqual([0, 1234, 99_400, 1_500_000, 59_400_000, 61_000_000, 3_725_000_000].map(timeText),
    ["0 ms", "1.2 ms", "99 ms", "1.5 s", "59 s", "1:01 min", "1:02 h"]);
  assert.deepEqual(waitsOf(traced({ uses: [{ use: "rate", time: 1 }, { use: "engine", time: 9 }, { use: "server", time: 2 }, { use: "rate", time: 3 }] })),
    [["rate", 4], ["server", 2]]);
});

test("a body keeps its digits, its order and the path of each value", () => {
  const rows = rowsOf('{ "id": 12345678901234567890, "a\'b": [true, {"x": "\\u0041"}, []], "e": {} }');
  assert.deepEqual(rows.map(({ path, depth, value, count }) => [path, depth, value ?? count]), [
    ["$", 0, 3], ["$['id']", 1, "12345678901234567890"], ["$['a\\'b']", 1, 3], ["$['a\\'b'][0]", 2, "true"],
    ["$['a\\'b'][1]", 2, 1], ["$['a\\'b'][1]['x']", 3, "A"], ["$['a\\'b'][2]", 2, 0], ["$['e']", 1, 0],
  ]);
  assert.deepEqual(openRows(rows, new Set(["$['a\\'b']"])), [0, 1, 2, 7]);
  assert.deepEqual(openRows(rows, new Set(["$"])), [0]);
  assert.equal(rowsOf(" 1 ")[0].value, "1");
});

test("answers are named by their run or their recording", () => {
  const part = { run: "0a", age: "3 s ago", only: "list" };
  assert.equal(sourceWords(part), "run 0a, 3 s ago, step list only");
  assert.equal(sourceWords({ run: "0a", age: "1 h ago", status: "failed" }), "run 0a, 1 h ago, failed");
  assert.equal(sourceWords({ recording: "a/b.har" }), "the recording a/b.har");
  assert.deepEqual(sourceNames({ recording: "a.har", status: "x" }), { recording: "a.har" });
  assert.deepEqual(sourceNames(part), { run: "0a" });
  assert.ok(isSameSource(part, { run: "0a", recording: null }) && !isSameSource(part, { recording: "0a" }));
});

test("a million values are read in a moment", () => {
  const text = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, name: `n${id}` })));
  const start = performance.now();
  assert.equal(rowsOf(text).length, 300_001);
  assert.ok(performance.now() - start < 20_000);
});
