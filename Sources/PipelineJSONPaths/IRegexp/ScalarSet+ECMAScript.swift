// The classes of characters that ECMA-262 has and RFC 9485 has not, or not so.

extension ScalarSet {
  /// `\d`: ASCII only, also under the flag `u`.
  static let asciiDigit: ScalarSet = {
    var set = ScalarSet()
    set.insert(0x30...0x39)
    return set
  }()

  /// `\w`: ASCII only, also under the flag `u`.
  static let asciiWord: ScalarSet = {
    var set = asciiDigit
    set.insert(0x41...0x5A)
    set.insert(0x61...0x7A)
    set.insert(0x5F...0x5F)
    return set
  }()

  /// `\s`: `WhiteSpace` and `LineTerminator` (ECMA-262 §12.2, §12.3).
  static let ecmaScriptSpace: ScalarSet = {
    var set = ScalarSet()
    set.insert(0x09...0x0D)
    set.insert(0xFEFF...0xFEFF)
    set.insert(0x2028...0x2029)
    set.insert(category: [.spaceSeparator], negated: false)
    return set
  }()

  /// `.`: all but the four line terminators.
  static let ecmaScriptDot: ScalarSet = {
    var set = ScalarSet()
    set.insert(0x0A...0x0A)
    set.insert(0x0D...0x0D)
    set.insert(0x2028...0x2029)
    set.negate()
    return set
  }()
}

extension ScalarCategory {
  /// The members of a category by any of the names that Unicode's PropertyValueAliases gives it, alone
  /// or after `General_Category=` or `gc=`.
  static func named(ecmaScript name: String) -> Set<Unicode.GeneralCategory>? {
    var name = name
    for prefix in ["General_Category=", "gc="] where name.hasPrefix(prefix) {
      name.removeFirst(prefix.count)
    }
    switch name {
    case "LC", "Cased_Letter": return [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]
    case "Cs", "Surrogate": return [.surrogate]
    default: return named(longNames[name] ?? name)
    }
  }

  private static let longNames = [
    "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo",
    "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc",
    "Enclosing_Mark": "Me",
    "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
    "Other_Number": "No",
    "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd",
    "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
    "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk",
    "Other_Symbol": "So",
    "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
    "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Unassigned": "Cn",
    "Private_Use": "Co",
  ]
}
