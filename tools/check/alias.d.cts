declare const config: { readonly resolve: { readonly alias: Record<string, string> } };
export = config;
