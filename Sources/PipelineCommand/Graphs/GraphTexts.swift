internal import PipelineByteText
internal import PipelineDrawings
internal import PipelineSourceText

/// A workflow's graph as text: for people, for Mermaid and for Graphviz.
enum GraphTexts {
  // MARK: Text

  /// A line for each step, with its stage and its dependencies.
  static func text(_ graph: WorkflowGraph, title: String) -> String {
    Cells.printable(title) + ": " + graph.stepCount.counting("step") + "\n"
      + lines(graph, indentation: "")
  }

  private static func lines(_ graph: WorkflowGraph, indentation: String) -> String {
    let stages = graph.stages
    let order = graph.nodes.indices.sorted { (stages[$0], $0) < (stages[$1], $1) }
    let width = graph.nodes.map { Cells.width(of: $0.name) }.max() ?? 0
    let digits = String((stages.max() ?? 0) + 1).count
    let edges = Dictionary(grouping: graph.edges.lazy.filter { !$0.isImplied }, by: \.to)
    return order.map { number in
      let node = graph.nodes[number]
      let stage = String(stages[number] + 1)
      var parts = [[node.method, node.action].compactMap { $0 }.joined(separator: " ")]
      if node.kind == .block { parts[0] = "block" }
      if let collection = node.collection { parts.append(collection) }
      if let condition = node.condition { parts.append("when " + condition) }
      if node.isFinally { parts.append("finally") }
      let followed = (edges[number] ?? []).map { graph.nodes[$0.from].name }
      if !followed.isEmpty { parts.append("← " + followed.joined(separator: ", ")) }
      let gap = String(repeating: " ", count: width - Cells.width(of: node.name))
      let line =
        indentation + String(repeating: " ", count: digits - stage.count) + stage + "  "
        + node.name + gap + "  " + parts.filter { !$0.isEmpty }.joined(separator: "  ")
      let inner = node.inner.map { lines($0, indentation: indentation + "   ") } ?? ""
      return Cells.printable(line) + "\n" + inner
    }.joined()
  }

  // MARK: Mermaid

  /// A Mermaid flowchart.
  static func mermaid(_ graph: WorkflowGraph, title: String) -> String {
    "---\ntitle: \(quoted(title))\n---\nflowchart TD\n" + mermaid(graph, "  ")
  }

  private static func mermaid(_ graph: WorkflowGraph, _ indentation: String) -> String {
    var text = ""
    for node in graph.nodes {
      var label = "<b>\(mermaidText(node.name))</b>"
      if !node.action.isEmpty {
        let action = [node.method, node.action].compactMap { $0 }.joined(separator: " ")
        label += "<br/>" + mermaidText(action)
      }
      if let collection = node.collection { label += "<br/>" + mermaidText(collection) }
      if let condition = node.condition { label += "<br/>when " + mermaidText(condition) }
      let name = identifier(node.path)
      if let inner = node.inner {
        text += "\(indentation)subgraph \(name)[\"\(label)\"]\n"
        text += mermaid(inner, indentation + "  ") + "\(indentation)end\n"
      } else {
        // A subroutine's double rim stands for a collection.
        let (open, close) = node.collection == nil ? ("[", "]") : ("[[", "]]")
        text += "\(indentation)\(name)\(open)\"\(label)\"\(close)\n"
      }
    }
    for edge in graph.edges {
      let arrow = edge.isImplied ? "-.->" : "-->"
      text +=
        "\(indentation)\(identifier(graph.nodes[edge.from].path)) \(arrow) "
        + "\(identifier(graph.nodes[edge.to].path))\n"
    }
    return text
  }

  /// A name that no other step has: Mermaid takes letters, digits and `_`, so a point is written
  /// `_0`, and `_` twice. Mermaid reads some words, such as `end`, in any place.
  private static func identifier(_ path: String) -> String {
    "s_" + path.replacing(bytes: "_", with: "__").replacing(bytes: ".", with: "_0")
  }

  private static func mermaidText(_ text: String) -> String {
    var result = ""
    for character in Cells.truncated(Cells.printable(text), to: 60) {
      let isPlain = character.isLetter || character.isNumber || " _-/.,:$*".contains(character)
      result +=
        isPlain
        ? String(character)
        : character.unicodeScalars.map { "#\($0.value);" }.joined()
    }
    return result
  }

  // MARK: Graphviz

  /// A digraph of Graphviz's dot.
  static func dot(_ graph: WorkflowGraph, title: String) -> String {
    """
    digraph \(quoted(title)) {
      compound=true;
      node [shape=box, style=rounded, fontname="monospace", fontsize=11];
      edge [color="#818b98"];
    \(dot(graph, "  "))}

    """
  }

  private static func dot(_ graph: WorkflowGraph, _ indentation: String) -> String {
    var text = ""
    for node in graph.nodes {
      var label = node.name
      if !node.action.isEmpty {
        label += "\n" + [node.method, node.action].compactMap { $0 }.joined(separator: " ")
      }
      if let collection = node.collection { label += "\n" + collection }
      if let condition = node.condition { label += "\nwhen " + condition }
      if let inner = node.inner {
        text += "\(indentation)subgraph \(quoted("cluster_" + node.path)) {\n"
        text += "\(indentation)  label=\(quoted(label)); style=rounded;\n"
        if inner.nodes.isEmpty { text += "\(indentation)  \(quoted(node.path)) [style=invis];\n" }
        text += dot(inner, indentation + "  ") + "\(indentation)}\n"
      } else {
        var attributes = "label=\(quoted(label))"
        if node.collection != nil { attributes += ", peripheries=2" }
        if node.condition != nil { attributes += ", style=\"rounded,dashed\"" }
        text += "\(indentation)\(quoted(node.path)) [\(attributes)];\n"
      }
    }
    for edge in graph.edges {
      let (from, to) = (graph.nodes[edge.from], graph.nodes[edge.to])
      var attributes = ["tooltip=\(quoted(edge.reasons.joined(separator: ", ")))"]
      if from.inner != nil { attributes.append("ltail=\(quoted("cluster_" + from.path))") }
      if to.inner != nil { attributes.append("lhead=\(quoted("cluster_" + to.path))") }
      if edge.isImplied { attributes.append("style=dotted") }
      text +=
        "\(indentation)\(quoted(anchor(from))) -> \(quoted(anchor(to))) "
        + "[\(attributes.joined(separator: ", "))];\n"
    }
    return text
  }

  /// A step that an edge can end at: of a block, one inside.
  private static func anchor(_ node: WorkflowGraph.Node) -> String {
    node.inner?.nodes.first.map(anchor) ?? node.path
  }

  private static func quoted(_ text: String) -> String {
    let lines = text.split(ascii: "\n", omittingEmptySubsequences: false).map { line in
      Cells.printable(String(line)).replacing(bytes: "\\", with: "\\\\")
        .replacing(bytes: "\"", with: "\\\"")
    }
    return "\"" + lines.joined(separator: "\\n") + "\""
  }
}
