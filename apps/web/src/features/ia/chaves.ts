export const CHAVE_MODELOS = ['gemini', 'modelos'] as const
export const CHAVE_USO = ['gemini', 'uso'] as const
