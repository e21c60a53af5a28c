import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineYAMLText

/// The reader beside those of Python, which other people wrote.
struct YAMLComparisonTests {
  private let folder = TemporaryFolder()

  /// Writes generated values as YAML in many layouts, each with its JSON. No text begins with `?`,
  /// because ruamel leaves out its quotes inside brackets.
  @Test(.enabled(if: Tool.hasModule("ruamel.yaml"), "Python has no ruamel.yaml"))
  func generatedTextsGiveTheValuesThatRuamelWrote() throws {
    let script = """
      import io, json, random, ruamel.yaml
      random.seed(20)
      words = ["", " ", "a", "no", "~", "null", "0o17", "1e3", "0x1f", "-", "- a", "a: b", "a #b",
        "#", "@x", "'", '"', "\\\\", "\\n", "a\\nb", "a\\n\\nb\\n", " lead", "trail ", "\\t", "é",
        "😀", "[", "{a", "&a", "*a", "!t", "%", "|", ">", "12:30", "2020-01-01", "<<",
        "---", "...", "=", "word " * 40, "x" * 200, "a:b", "http://x/#y", "\\r", "\\x07"]
      def text():
        return random.choice(words) if random.random() < .7 else random.choice(words) + random.choice(words)
      def value(depth):
        kind = random.random()
        if depth == 0 or kind < .5:
          return random.choice([None, True, False, random.randint(-10**6, 10**6), 1.5, -2.5e-10, text(), text(), text()])
        if kind < .75: return [value(depth - 1) for _ in range(random.randint(0, 5))]
        return {text(): value(depth - 1) for _ in range(random.randint(0, 5))}
      cases = []
      for number in range(600):
        yaml = ruamel.yaml.YAML(typ="safe", pure=True)
        yaml.version = None
        yaml.default_flow_style = random.choice([True, False, None])
        yaml.width = random.choice([20, 80, 1000])
        yaml.indent = random.choice([2, 4])
        yaml.allow_unicode = random.random() < .5
        root = value(5)
        stream = io.StringIO()
        yaml.dump(root, stream)
        cases.append({"yaml": stream.getvalue(), "value": root})
      print(json.dumps(cases))
      """
    let outcome = Tool.run(["python3", "-c", script], in: folder)
    try #require(outcome.status == 0, "\(outcome.error)")
    let cases = Array(try JSONDocument.parse(Array(outcome.output.utf8)).root.elements)
    #expect(cases.count == 600)
    for example in cases {
      let yaml = example["yaml"]?.string ?? ""
      let found = Result { try YAMLDocument.parse(Array(yaml.utf8)).document.root }
      guard case .success(let root) = found, let wanted = example["value"] else {
        Issue.record("\(found): \(yaml)")
        continue
      }
      #expect(root.isEqual(to: wanted), "\(yaml)\n\(root.text)")
    }
  }

  /// The YAML descriptions of the corpora, read by PyYAML with the scalars of the core schema.
  @Test(
    .enabled(
      if: Conformance.corpora != nil && Tool.hasModule("yaml"),
      "$CORPORA_DIR has no descriptions, or Python has no yaml"))
  func descriptionsGiveTheValuesThatPyYAMLReads() throws {
    let script = """
      import json, re, sys, yaml
      class Loader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)): pass
      def scalar(loader, node):
        text = node.value
        if node.style: return text
        if text in ("", "~", "null", "Null", "NULL"): return None
        if text in ("true", "True", "TRUE"): return True
        if text in ("false", "False", "FALSE"): return False
        if re.fullmatch(r"[-+]?[0-9]+", text): return int(text)
        if re.fullmatch(r"[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?", text): return float(text)
        return text
      def mapping(loader, node):
        return {key.value: loader.construct_object(value, deep=True) for key, value in node.value}
      Loader.add_constructor("tag:yaml.org,2002:str", scalar)
      Loader.add_constructor(None, lambda loader, node: scalar(loader, node)
        if isinstance(node, yaml.ScalarNode) else mapping(loader, node)
        if isinstance(node, yaml.MappingNode) else [loader.construct_object(v, deep=True) for v in node.value])
      Loader.yaml_constructors.pop("tag:yaml.org,2002:map", None)
      print(json.dumps(yaml.load(open(sys.argv[1], "rb"), Loader)))
      """
    let corpora = try #require(Conformance.corpora)
    var files = Conformance.files(in: corpora + "/openapi/oai/v3.0/pass", ending: ".yaml")
    for packed in Conformance.files(in: corpora + "/openapi", ending: ".yaml.gz") {
      let name = "unpacked\(files.count).yaml"
      let outcome = Tool.run(["sh", "-c", "gzip -dc \(packed) > \(name)"], in: folder)
      try #require(outcome.status == 0, "\(outcome.error)")
      files.append(folder.path + "/" + name)
    }
    #expect(files.count > 5)
    for file in files {
      let outcome = Tool.run(["python3", "-c", script, file], in: folder)
      try #require(outcome.status == 0, "\(file): \(outcome.error)")
      let wanted = try JSONDocument.parse(Array(outcome.output.utf8)).root
      let document = try YAMLDocument.parse(readFile(file) ?? [])
      #expect(document.document.root.isEqual(to: wanted), "\(file)")
      #expect(document.problems.isEmpty, "\(file)")
    }
  }
}
