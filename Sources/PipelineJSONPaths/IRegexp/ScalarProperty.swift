/// A binary property of Unicode that `\p{…}` of ECMA-262 names (§22.2.1.2, table 69), if the
/// standard library knows it.
enum ScalarProperty: String, Sendable, Hashable, CaseIterable {
  case alphabetic = "Alphabetic"
  case caseIgnorable = "Case_Ignorable"
  case cased = "Cased"
  case dash = "Dash"
  case diacritic = "Diacritic"
  case emoji = "Emoji"
  case emojiModifier = "Emoji_Modifier"
  case emojiModifierBase = "Emoji_Modifier_Base"
  case emojiPresentation = "Emoji_Presentation"
  case hexDigit = "Hex_Digit"
  case idContinue = "ID_Continue"
  case idStart = "ID_Start"
  case ideographic = "Ideographic"
  case lowercase = "Lowercase"
  case math = "Math"
  case noncharacter = "Noncharacter_Code_Point"
  case quotationMark = "Quotation_Mark"
  case uppercase = "Uppercase"
  case variationSelector = "Variation_Selector"
  case whiteSpace = "White_Space"
  case xidContinue = "XID_Continue"
  case xidStart = "XID_Start"

  /// The property that a name of ECMA-262 means, long or short.
  init?(ecmaScript name: String) {
    switch name {
    case "Alpha": self = .alphabetic
    case "CI": self = .caseIgnorable
    case "Dia": self = .diacritic
    case "EMod": self = .emojiModifier
    case "EBase": self = .emojiModifierBase
    case "EPres": self = .emojiPresentation
    case "Hex": self = .hexDigit
    case "IDC": self = .idContinue
    case "IDS": self = .idStart
    case "Ideo": self = .ideographic
    case "Lower": self = .lowercase
    case "NChar": self = .noncharacter
    case "QMark": self = .quotationMark
    case "Upper": self = .uppercase
    case "VS": self = .variationSelector
    case "space": self = .whiteSpace
    case "XIDC": self = .xidContinue
    case "XIDS": self = .xidStart
    default: self.init(rawValue: name)
    }
  }

  func holds(_ value: UInt32) -> Bool {
    guard let properties = Unicode.Scalar(value)?.properties else { return false }
    return switch self {
    case .alphabetic: properties.isAlphabetic
    case .caseIgnorable: properties.isCaseIgnorable
    case .cased: properties.isCased
    case .dash: properties.isDash
    case .diacritic: properties.isDiacritic
    case .emoji: properties.isEmoji
    case .emojiModifier: properties.isEmojiModifier
    case .emojiModifierBase: properties.isEmojiModifierBase
    case .emojiPresentation: properties.isEmojiPresentation
    case .hexDigit: properties.isHexDigit
    case .idContinue: properties.isIDContinue
    case .idStart: properties.isIDStart
    case .ideographic: properties.isIdeographic
    case .lowercase: properties.isLowercase
    case .math: properties.isMath
    case .noncharacter: properties.isNoncharacterCodePoint
    case .quotationMark: properties.isQuotationMark
    case .uppercase: properties.isUppercase
    case .variationSelector: properties.isVariationSelector
    case .whiteSpace: properties.isWhitespace
    case .xidContinue: properties.isXIDContinue
    case .xidStart: properties.isXIDStart
    }
  }
}
