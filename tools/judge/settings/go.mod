module judge

go 1.24

require github.com/hashicorp/terraform-plugin-codegen-openapi v0.3.0
