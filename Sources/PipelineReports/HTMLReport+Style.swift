extension HTMLReport {
  /// The colours of the report, light and dark, as CSS. The page of a folder has the same.
  package static let palette = """
    :root { color-scheme: light dark;
      --paper: #f6f7f9; --card: #ffffff; --ink: #16191f; --soft: #5b6472; --line: #e1e5ea;
      --track: #eef1f4; --link: #1f5fd0; --ok: #187544; --okfill: #9fd8b8; --oktint: #e3f5ea;
      --bad: #c0282d; --badfill: #ee9a9c; --badtint: #fdeaea; --warn: #8a5a00; --warnfill: #edc97a;
      --warntint: #fdf3dc; --idle: #5b6472; --idlefill: #c6ccd4; --idletint: #eef1f4;
      --crit: #16191f; --server: #2f6fde; --connecting: #14938a; --receiving: #7fb2f5;
      --rate: #e07b12; --pause: #c99a06; --retry: #d1495b; --poll: #8253c8; --wait: #77808d;
      --place: #c2559d; --stopped: #9aa2ad; --engine: #b3bac4; }
    @media (prefers-color-scheme: dark) { :root {
      --paper: #0e1116; --card: #161a21; --ink: #e9edf2; --soft: #9aa5b3; --line: #2a313b;
      --track: #1f252e; --link: #7eb0ff; --ok: #5fd39a; --okfill: #2c6f4c; --oktint: #15301f;
      --bad: #ff8b8d; --badfill: #8f3438; --badtint: #3a1a1c; --warn: #eec36a; --warnfill: #7a5a1c;
      --warntint: #33280f; --idle: #9aa5b3; --idlefill: #444d59; --idletint: #232a33;
      --crit: #f2f5f9; --server: #5b93f2; --connecting: #3ab5ab; --receiving: #34598f;
      --rate: #f19a3e; --pause: #dfb93a; --retry: #ec7686; --poll: #a983e6; --wait: #8f98a5;
      --place: #dd7fbd; --stopped: #6c7682; --engine: #566070; } }

    """

  static let style =
    palette
      + """
      * { box-sizing: border-box; }
      body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
        font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
      header, main, footer { max-width: 1200px; margin: 0 auto; padding: 0 24px; }
      header { padding-top: 36px; }
      .head { display: flex; align-items: flex-end; justify-content: space-between; gap: 16px;
        flex-wrap: wrap; }
      .over { margin: 0; color: var(--soft); font-size: 13px; }
      h1 { margin: 2px 0 0; font-size: 30px; line-height: 1.2; letter-spacing: -0.015em;
        overflow-wrap: anywhere; }
      h2 { margin: 0 0 4px; font-size: 18px; letter-spacing: -0.005em; }
      h3 { margin: 0 0 6px; font-size: 15px; }
      code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono",
        monospace; font-size: 0.9em; overflow-wrap: anywhere; }
      a { color: inherit; text-decoration: none; }
      a:hover { color: var(--link); text-decoration: underline; }
      a:focus-visible, summary:focus-visible, [tabindex]:focus-visible {
        outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
      small { color: var(--soft); font-size: 12px; }
      .pill { margin: 0; padding: 5px 14px; border-radius: 999px; font-weight: 600; font-size: 14px; }
      .tag { display: inline-block; padding: 0 8px; border-radius: 999px; font-size: 12px;
        font-weight: 600; line-height: 20px; }
      .ok.pill, .ok.tag { color: var(--ok); background: var(--oktint); }
      .bad.pill, .bad.tag { color: var(--bad); background: var(--badtint); }
      .warn.pill, .warn.tag { color: var(--warn); background: var(--warntint); }
      .idle.pill, .idle.tag { color: var(--idle); background: var(--idletint); }
      .badtext { color: var(--bad); }
      header dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr));
        gap: 12px; margin: 24px 0 0; }
      header dl > div { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
        padding: 14px 16px; }
      dt { color: var(--soft); font-size: 13px; }
      dd { margin: 0; }
      header dd { font-size: 24px; font-weight: 650; line-height: 1.25;
        font-variant-numeric: tabular-nums; }
      header dd.more { font-size: 12.5px; font-weight: 400; color: var(--soft); margin-top: 2px; }
      .callout { margin: 12px 0 0; padding: 12px 16px; background: var(--card);
        border: 1px solid var(--line); border-left: 4px solid var(--server); border-radius: 8px; }
      .callout.bad { border-left-color: var(--bad); }
      section { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
        padding: 20px; margin: 20px 0; }
      .lead { margin: 0 0 14px; color: var(--soft); font-size: 13.5px; max-width: 75ch; }
      .failure { border-top: 1px solid var(--line); padding: 14px 0; }
      .failure p { margin: 0 0 8px; overflow-wrap: anywhere; }
      .failure:last-child { padding-bottom: 0; }
      .pairs { margin: 0; display: grid; gap: 2px; }
      .pairs > div { display: grid; grid-template-columns: 72px 1fr; gap: 8px; }
      pre { margin: 8px 0 0; padding: 12px; background: var(--track); border-radius: 8px;
        overflow: auto; max-height: 260px; white-space: pre-wrap; }
      summary { cursor: pointer; color: var(--link); font-size: 13.5px; margin-top: 8px;
        width: fit-content; }
      .timeline { font-size: 13px; }
      .row { display: grid; grid-template-columns: minmax(120px, 25%) 1fr 62px; gap: 12px;
        align-items: center; min-height: 26px; }
      .row.req { min-height: 20px; font-size: 12px; }
      .row.req .name { color: var(--soft); }
      .row.axis { min-height: 20px; color: var(--soft); font-size: 11.5px; }
      .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .name.in1 { padding-left: 14px; } .name.in2 { padding-left: 28px; }
      .name.in3 { padding-left: 42px; } .name.in4, .name.in5 { padding-left: 56px; }
      code.in1 { margin-left: 14px; } code.in2 { margin-left: 28px; }
      code.in3 { margin-left: 42px; } code.in4, code.in5 { margin-left: 56px; }
      .dot { display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 8px; }
      .dot.ok { background: var(--ok); } .dot.bad { background: var(--bad); }
      .dot.warn { background: var(--warn); } .dot.idle { background: var(--idlefill); }
      .track { position: relative; height: 16px; border-radius: 4px; background:
        repeating-linear-gradient(90deg, var(--line) 0 1px, transparent 1px 25%) var(--track); }
      .req .track { height: 8px; background: none; }
      .axis .track { background: none; }
      .bar, .seg, .crit { position: absolute; top: 0; bottom: 0; min-width: 2px; border-radius: 3px;
        overflow: hidden; }
      .seg { border-radius: 1px; min-width: 1px; }
      .bar.ok { background: var(--okfill); } .bar.bad { background: var(--badfill); }
      .bar.warn { background: var(--warnfill); } .bar.idle { background: var(--idlefill); }
      .bar.strip { background: var(--idletint); box-shadow: inset 0 0 0 1px var(--idlefill); }
      .bar svg { position: absolute; inset: 0; width: 100%; height: 100%; }
      .bar .good { fill: var(--ok); opacity: 0.7; } .badfill { fill: var(--bad); }
      .crit { border: 1.5px solid var(--crit); }
      .gap { position: absolute; top: -6px; bottom: -6px; border-left: 2px dashed var(--warn); }
      .tick { position: absolute; transform: translateX(-50%); white-space: nowrap; }
      .tick.t0 { transform: none; } .tick.t4 { transform: translateX(-100%); }
      .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
      .timeline .n { color: var(--soft); font-size: 12px; }
      .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0;
        margin: 14px 0 0; font-size: 12.5px; color: var(--soft); }
      .key { display: inline-block; width: 10px; height: 10px; border-radius: 3px;
        margin-right: 8px; }
      .stack { display: flex; gap: 2px; height: 22px; border-radius: 6px; overflow: hidden;
        margin-bottom: 12px; }
      .stack span { min-width: 2px; }
      .server { background: var(--server); } .connecting { background: var(--connecting); }
      .receiving { background: var(--receiving); } .rate { background: var(--rate); }
      .pause, .announced { background: var(--pause); } .retry { background: var(--retry); }
      .poll { background: var(--poll); } .wait { background: var(--wait); }
      .place { background: var(--place); } .stopped { background: var(--stopped); }
      .engine { background: var(--engine); } .cutOff, .underWay { background: var(--idlefill); }
      .scroll { overflow-x: auto; }
      table { width: 100%; border-collapse: collapse; font-size: 13px; }
      th { text-align: left; font-weight: 500; color: var(--soft); font-size: 12px;
        padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
      th.n { text-align: right; }
      td { padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
      tr:last-child td { border-bottom: 0; }
      td.time { white-space: nowrap; }
      td:first-child { white-space: nowrap; }
      table code { overflow-wrap: break-word; }
      td:last-child, th:last-child { padding-right: 0; }
      tr:target { background: var(--warntint); }
      .why { display: block; max-width: 46ch; overflow-wrap: anywhere; }
      .hist { display: block; } .hist path { fill: var(--server); }
      .graph { display: block; max-width: none; }
      .graph .edge { fill: none; stroke: var(--idlefill); stroke-width: 1.5; }
      .graph .heavy { stroke: var(--crit); stroke-width: 2.5; }
      .graph rect { fill: var(--card); stroke: var(--line); }
      .graph text { font-size: 12px; fill: var(--soft); }
      .graph .id { font-weight: 600; fill: var(--ink); font-size: 13px; }
      .graph .edge-mark { stroke: none; }
      .graph .ok .edge-mark { fill: var(--ok); } .graph .bad .edge-mark { fill: var(--bad); }
      .graph .warn .edge-mark { fill: var(--warn); }
      .graph .idle .edge-mark { fill: var(--idlefill); }
      .graph .bad rect:first-child { fill: var(--badtint); stroke: var(--bad); }
      ul { margin: 8px 0 0; padding-left: 18px; font-size: 13.5px; }
      footer { color: var(--soft); font-size: 12.5px; padding-bottom: 40px; overflow-wrap: anywhere; }
      @media (max-width: 640px) {
        header, main, footer { padding-left: 12px; padding-right: 12px; }
        header { padding-top: 20px; }
        h1 { font-size: 23px; }
        section { padding: 14px; margin: 14px 0; }
        header dl { grid-template-columns: 1fr 1fr; gap: 8px; }
        header dl > div { padding: 10px 12px; }
        header dd { font-size: 19px; }
        .row { grid-template-columns: 1fr auto; gap: 0 8px; padding: 4px 0; }
        .row .track { grid-column: 1 / -1; grid-row: 2; }
        .row.axis > div:not(.track) { display: none; }
        .row.axis .track { grid-row: 1; }
        .t1, .t3 { display: none; }
        .gap { top: 0; bottom: 0; }
        .pairs > div { grid-template-columns: 1fr; gap: 0; }
      }
      @media print {
        @page { margin: 14mm; }
        body { background: #ffffff; font-size: 12.5px; }
        header, main, footer { max-width: none; padding: 0; }
        section, header dl > div, .callout { border-color: #cccccc; }
        section { padding: 14px; margin: 14px 0; }
        .row, tr, .failure, .callout, .legend, .stack, header dl > div { break-inside: avoid; }
        h2, h3, .lead, summary, .stack, thead { break-after: avoid; }
        .scroll { overflow: visible; }
        .graph { max-width: 100%; height: auto; }
        table code { overflow-wrap: anywhere; }
        pre { max-height: none; }
        details::details-content { content-visibility: visible; block-size: auto; }
        * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      }

      """
}
