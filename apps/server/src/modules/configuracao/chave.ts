/** The API key is masked on output. A masked value on input means "unchanged". */

const MASCARA = '••••••••'
const FINAL_VISIVEL = 4
/** For a shorter key the last characters would reveal too much. */
const MINIMO_PARA_MOSTRAR_FINAL = 12

export function mascarar(chave: string): string {
  if (chave === '') return ''
  return chave.length < MINIMO_PARA_MOSTRAR_FINAL ? MASCARA : MASCARA + chave.slice(-FINAL_VISIVEL)
}

function isMascara(valor: string): boolean {
  return valor.startsWith(MASCARA)
}

/** Returns the stored key if the field is missing or still masked. */
export function chaveEnviada(atual: string, enviada: string | undefined): string {
  const valor = enviada?.trim()
  return valor === undefined || isMascara(valor) ? atual : valor
}

/**
 * `gemini.apiKey` and `ia.apiKey` are one key: the settings page writes the first, the AI page both. A masked or
 * unchanged field is ignored; the first changed field wins.
 */
export function resolverChave(
  atual: string,
  enviadas: { readonly gemini: string; readonly ia: string },
  pode: { readonly gemini: boolean; readonly ia: boolean },
): string {
  const candidatas = [...(pode.gemini ? [enviadas.gemini] : []), ...(pode.ia ? [enviadas.ia] : [])]
  const mudou = candidatas.map((valor) => valor.trim()).find((valor) => !isMascara(valor) && valor !== atual)
  return mudou ?? atual
}
