import { AppError } from '#errors.ts'

/** Local days in the form `AAAA-MM-DD`, both included. */
export interface Periodo {
  readonly de: string
  readonly ate: string
}

const DIAS_PADRAO = 30
export const DIAS_MAXIMO = 366
/** Lower bound, because PostgreSQL accepts years that JavaScript formats differently. */
const PRIMEIRO_DIA = '2000-01-01'
const DIA_MS = 86_400_000

export function somarDias(dia: string, dias: number): string {
  return new Date(Date.parse(`${dia}T00:00:00Z`) + dias * DIA_MS).toISOString().slice(0, 10)
}

function contarDias({ de, ate }: Periodo): number {
  return (Date.parse(`${ate}T00:00:00Z`) - Date.parse(`${de}T00:00:00Z`)) / DIA_MS + 1
}

export function diasDe(periodo: Periodo): string[] {
  return Array.from({ length: contarDias(periodo) }, (_, i) => somarDias(periodo.de, i))
}

/** Parses the requested period. Default: the 30 days up to today. Throws `dadosInvalidos`. */
export function lerPeriodo(
  pedido: { readonly de?: string | undefined; readonly ate?: string | undefined },
  hoje: string,
): Periodo {
  const ate = pedido.ate ?? hoje
  // Checked first, because the default start is computed from `ate`.
  if (ate < PRIMEIRO_DIA) throw invalido('ate', 'Escolha uma data mais recente')
  const de = pedido.de ?? somarDias(ate, 1 - DIAS_PADRAO)
  if (de < PRIMEIRO_DIA) throw invalido('de', 'Escolha uma data mais recente')
  if (de > ate) throw invalido('de', 'A data inicial deve vir antes da final')
  if (contarDias({ de, ate }) > DIAS_MAXIMO) throw invalido('ate', `Escolha no máximo ${DIAS_MAXIMO} dias`)
  return { de, ate }
}

function invalido(caminho: string, mensagem: string): AppError {
  return new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho, mensagem }] })
}
