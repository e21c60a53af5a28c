// Texts, places in them, and changes of them. Pure: it touches no document.

const token = /"(?:[^"\\\n]|\\.)*"?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\b(?:true|false|null)\b/gu;

/** The parts of a workflow's text that have a colour: `from`, `to` and a kind. In order. */
export function pieces(text) {
  const found = [];
  for (const match of text.matchAll(token)) {
    const from = match.index;
    const to = from + match[0].length;
    if (match[0][0] !== '"') {
      found.push({ from, to, kind: "number" });
      continue;
    }
    let after = to;
    while (after < text.length && " \t\r\n".includes(text[after])) after += 1;
    if (text[after] === ":") {
      found.push({ from, to, kind: "key" });
      continue;
    }
    const kind = /^"[$@]/u.test(match[0]) ? "query" : "text";
    let start = from;
    for (const inner of match[0].matchAll(/\{\{[^}]*\}\}/gu)) {
      const place = from + inner.index;
      if (start < place) found.push({ from: start, to: place, kind });
      start = place + inner[0].length;
      found.push({ from: place, to: start, kind: "template" });
    }
    if (start < to) found.push({ from: start, to, kind });
  }
  return found;
}

/** The offsets at which the lines of a text begin. */
export function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The offset of a line and a character, both from 0, as the language server has them. */
export function offsetAt(text, starts, { line, character }) {
  if (line >= starts.length) return text.length;
  const end = line + 1 < starts.length ? starts[line + 1] - 1 : text.length;
  return Math.min(starts[line] + character, end);
}

/** The line and the character of an offset, both from 0. */
export function positionAt(starts, offset) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, character: offset - starts[low] };
}

/** A text after the edits of the language server, all of which are of the text before. */
export function applied(text, edits) {
  const starts = lineStarts(text);
  const places = edits.map((edit) => ({
    from: offsetAt(text, starts, edit.range.start), to: offsetAt(text, starts, edit.range.end),
    text: edit.newText,
  }));
  // If two are at the same place, the earlier one comes first.
  const order = places.map((_, number) => number)
    .sort((a, b) => places[a].from - places[b].from || a - b);
  let result = "";
  let end = 0;
  for (const number of order) {
    const place = places[number];
    result += text.slice(end, place.from) + place.text;
    end = Math.max(end, place.to);
  }
  return result + text.slice(end);
}

/** The smallest replacement of one part that makes one text of the other; null: they are equal. */
export function splice(before, after) {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) {
    same += 1;
  }
  return { from, to: before.length - same, text: after.slice(from, after.length - same) };
}

/** Where the lines of one text differ from those of another: `from` and `to` are of the first. */
export function differences(before, after) {
  let head = 0;
  const most = Math.min(before.length, after.length);
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head
    && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const a = before.slice(head, before.length - tail);
  const b = after.slice(head, after.length - tail);
  if (a.length === 0 && b.length === 0) return [];
  // The table of the longest common part. Above this size the whole middle counts as different.
  if (a.length * b.length > 4_000_000) {
    return [{ from: head, to: head + a.length, lines: b }];
  }
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i * width + j] = a[i] === b[j] ? table[(i + 1) * width + j + 1] + 1
        : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    }
  }
  const found = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      [i, j] = [i + 1, j + 1];
      continue;
    }
    const hunk = { from: head + i, to: head + i, lines: [] };
    while ((i < a.length || j < b.length) && !(i < a.length && j < b.length && a[i] === b[j])) {
      const takesLine = j < b.length
        && (i === a.length || table[i * width + j + 1] > table[(i + 1) * width + j]);
      if (takesLine) hunk.lines.push(b[j++]);
      else i += 1;
    }
    hunk.to = head + i;
    found.push(hunk);
  }
  return found;
}

/**
 * Two changed texts as one, by lines; null: both have changed the same place, and a person must
 * decide.
 */
export function merged(base, mine, theirs) {
  if (mine === theirs || base === theirs) return mine;
  if (base === mine) return theirs;
  const lines = base.split("\n");
  const own = differences(lines, mine.split("\n"));
  const other = differences(lines, theirs.split("\n"));
  for (const a of own) {
    for (const b of other) {
      // Changes that touch each other may belong together.
      if (a.from <= b.to && b.from <= a.to) {
        const isSame = a.from === b.from && a.to === b.to && a.lines.join("\n") === b.lines.join("\n");
        if (!isSame) return null;
        b.isDone = true;
      }
    }
  }
  const hunks = [...own, ...other.filter((hunk) => !hunk.isDone)].sort((a, b) => a.from - b.from);
  const result = [];
  let end = 0;
  for (const hunk of hunks) {
    result.push(...lines.slice(end, hunk.from), ...hunk.lines);
    end = hunk.to;
  }
  return [...result, ...lines.slice(end)].join("\n");
}

/** The white space with which the line of an offset begins. */
export function indentation(text, offset) {
  return /^[ \t]*/u.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset))[0];
}

/** The steps of an outline by their paths, each with its range; steps inside others follow them. */
export function stepsOf(symbols, prefix = "") {
  const found = [];
  for (const symbol of symbols) {
    if (symbol.kind !== 12 && symbol.kind !== 3) continue;
    const path = prefix + symbol.name;
    found.push({ path, range: symbol.range, name: symbol.selectionRange },
      ...stepsOf(symbol.children ?? [], `${path}.`));
  }
  return found;
}
