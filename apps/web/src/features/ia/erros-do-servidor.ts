import { ApiError } from '#shared/api-client.ts'

export type IaErrors = Readonly<Record<string, string>>

/** Server errors that belong to this tab. An error of one gatilho is reported on the whole list. */
export function iaErrorsOf(error: unknown): IaErrors {
  if (!(error instanceof ApiError)) return {}
  if (error.codigo === 'limitePlano') return { ativa: error.message }
  const erros: Record<string, string> = {}
  for (const { caminho, mensagem } of error.dados.detalhes ?? []) {
    const campo = fieldOf(caminho)
    if (campo !== null) erros[campo] ??= mensagem
  }
  return erros
}

function fieldOf(caminho: string): string | null {
  if (caminho === 'gemini.apiKey') return 'apiKey'
  if (!caminho.startsWith('ia.')) return null
  const campo = caminho.slice('ia.'.length)
  return campo.startsWith('gatilhos.') ? 'gatilhos' : campo
}

export function withoutChanged(errors: IaErrors, changed: readonly string[]): IaErrors {
  const restam = Object.entries(errors).filter(
    ([campo]) => !changed.some((mudado) => campo === mudado || campo.startsWith(`${mudado}.`)),
  )
  return Object.fromEntries(restam)
}
