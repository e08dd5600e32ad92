/** The AI key on its way in and out. It leaves masked; what comes back masked means 'the one you have'. */

const MASCARA = '••••••••'
const FINAL_VISIVEL = 4
/** A shorter key would show too large a part of itself. */
const MINIMO_PARA_MOSTRAR_FINAL = 12

export function mascarar(chave: string): string {
  if (chave === '') return ''
  return chave.length < MINIMO_PARA_MOSTRAR_FINAL ? MASCARA : MASCARA + chave.slice(-FINAL_VISIVEL)
}

function isMascara(valor: string): boolean {
  return valor.startsWith(MASCARA)
}

/** The key a single field speaks of: what is stored when it is missing or came back as it was shown. */
export function chaveEnviada(atual: string, enviada: string | undefined): string {
  const valor = enviada?.trim()
  return valor === undefined || isMascara(valor) ? atual : valor
}

/**
 * There is one key behind `gemini.apiKey` and `ia.apiKey`: the settings page writes the first, the AI page both.
 * A field that came back as it was shown says nothing; the first that says something wins.
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
