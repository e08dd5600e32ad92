export const MODELS_KEY = ['gemini', 'modelos'] as const
export const USAGE_KEY = ['gemini', 'uso'] as const
