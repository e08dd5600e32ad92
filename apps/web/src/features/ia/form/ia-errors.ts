import { ApiError } from '#shared/api-client.ts'

export type IaErrors = Readonly<Record<string, string>>

/** Server errors that belong to this tab. An error of one gatilho is reported on the whole list. */
export function iaErrorsOf(error: unknown): IaErrors {
  if (!(error instanceof ApiError)) return {}
  if (error.codigo === 'limitePlano') return { ativa: error.message }
  const erros: Record<string, string> = {}
  for (const { caminho, mensagem } of error.dados.detalhes ?? []) {
    const field = fieldOf(caminho)
    if (field !== null) erros[field] ??= mensagem
  }
  return erros
}

function fieldOf(path: string): string | null {
  if (path === 'gemini.apiKey') return 'apiKey'
  if (!path.startsWith('ia.')) return null
  const field = path.slice('ia.'.length)
  return field.startsWith('gatilhos.') ? 'gatilhos' : field
}

export function withoutChanged(errors: IaErrors, changed: readonly string[]): IaErrors {
  const left = Object.entries(errors).filter(
    ([field]) => !changed.some((mudado) => field === mudado || field.startsWith(`${mudado}.`)),
  )
  return Object.fromEntries(left)
}
