import PipelineSourceText

extension Explanation {
  /// The codes of findings that no rule makes: a file, or a part of it, cannot be read.
  static let ofReading = [
    // Keys and values.
    Explanation("unknown-key", .error, PackageResources.unknown_key_md),
    Explanation("missing-key", .error, PackageResources.missing_key_md),
    Explanation("misplaced-key", .error, PackageResources.misplaced_key_md),
    Explanation("conflicting-keys", .error, PackageResources.conflicting_keys_md),
    Explanation("wrong-type", .error, PackageResources.wrong_type_md),
    Explanation("invalid-value", .error, PackageResources.invalid_value_md),
    Explanation("newer-format", .error, PackageResources.newer_format_md),
    Explanation("query-syntax", .error, PackageResources.query_syntax_md),
    Explanation("condition-syntax", .error, PackageResources.condition_syntax_md),
    Explanation("invalid-header", .error, PackageResources.invalid_header_md),
    Explanation("for-each-template", .error, PackageResources.for_each_template_md),
    // Names, files and silencings.
    Explanation("invalid-name", .error, PackageResources.invalid_name_md),
    Explanation("reserved-name", .error, PackageResources.reserved_name_md),
    Explanation("duplicate-name", .error, PackageResources.duplicate_name_md),
    Explanation("hidden-name", .error, PackageResources.hidden_name_md),
    Explanation("unknown-input", .error, PackageResources.unknown_input_md),
    Explanation("unreadable-file", .error, PackageResources.unreadable_file_md),
    Explanation("file-cycle", .error, PackageResources.file_cycle_md),
    Explanation("called-workflow", .error, PackageResources.called_workflow_md),
    Explanation("silencing-without-reason", .error, PackageResources.silencing_without_reason_md),
    Explanation("base-file", .note, PackageResources.base_file_md),
    Explanation("unused-silencing", .warning, PackageResources.unused_silencing_md),
    // Templates, endpoints and data.
    Explanation("template-syntax", .error, PackageResources.template_syntax_md),
    Explanation("template-reference", .error, PackageResources.template_reference_md),
    Explanation("template-reserved", .error, PackageResources.template_reserved_md),
    Explanation("foreign-template", .error, PackageResources.foreign_template_md),
    Explanation("endpoint-method", .error, PackageResources.endpoint_method_md),
    Explanation("endpoint-syntax", .error, PackageResources.endpoint_syntax_md),
    Explanation("url-syntax", .error, PackageResources.url_syntax_md),
    Explanation("url-character", .error, PackageResources.url_character_md),
    Explanation("url-credentials", .error, PackageResources.url_credentials_md),
    Explanation("header-character", .error, PackageResources.header_character_md),
    Explanation("data-form", .error, PackageResources.data_form_md),
    Explanation("literal-query", .warning, PackageResources.literal_query_md),
    Explanation("template-in-key", .warning, PackageResources.template_in_key_md),
    // JSON texts.
    Explanation("json-syntax", .error, PackageResources.json_syntax_md),
    Explanation("json-duplicate-key", .error, PackageResources.json_duplicate_key_md),
    Explanation("json-empty", .error, PackageResources.json_empty_md),
    Explanation("json-utf8", .error, PackageResources.json_utf8_md),
    Explanation("json-bom", .error, PackageResources.json_bom_md),
    Explanation("json-depth", .error, PackageResources.json_depth_md),
    Explanation("json-too-large", .error, PackageResources.json_too_large_md),
    // JSON Schemas.
    Explanation("schema-unknown-keyword", .warning, PackageResources.schema_unknown_keyword_md),
    Explanation("schema-unsupported", .error, PackageResources.schema_unsupported_md),
    Explanation("schema-value", .error, PackageResources.schema_value_md),
    Explanation("schema-reference", .error, PackageResources.schema_reference_md),
    Explanation("schema-pattern", .error, PackageResources.schema_pattern_md),
    // The descriptions that a workflow names.
    Explanation(
      DescriptionCode.unreadable.rawValue, .error, PackageResources.unreadable_description_md),
    Explanation(DescriptionCode.changed.rawValue, .error, PackageResources.changed_description_md),
    Explanation(DescriptionCode.unused.rawValue, .warning, PackageResources.unused_description_md),
  ]
}
