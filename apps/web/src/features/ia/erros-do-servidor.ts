import { ApiError } from '#shared/api-client.ts'

export type ErrosDaIa = Readonly<Record<string, string>>

/** Server errors that belong to this tab. An error of one gatilho is reported on the whole list. */
export function errosDoServidor(erro: unknown): ErrosDaIa {
  if (!(erro instanceof ApiError)) return {}
  if (erro.codigo === 'limitePlano') return { ativa: erro.message }
  const erros: Record<string, string> = {}
  for (const { caminho, mensagem } of erro.dados.detalhes ?? []) {
    const campo = campoDe(caminho)
    if (campo !== null) erros[campo] ??= mensagem
  }
  return erros
}

function campoDe(caminho: string): string | null {
  if (caminho === 'gemini.apiKey') return 'apiKey'
  if (!caminho.startsWith('ia.')) return null
  const campo = caminho.slice('ia.'.length)
  return campo.startsWith('gatilhos.') ? 'gatilhos' : campo
}

export function semOsMudados(erros: ErrosDaIa, mudados: readonly string[]): ErrosDaIa {
  const restam = Object.entries(erros).filter(
    ([campo]) => !mudados.some((mudado) => campo === mudado || campo.startsWith(`${mudado}.`)),
  )
  return Object.fromEntries(restam)
}
