import type { ModeloOficial } from '@balcao/contract/entities/oficial'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { type SendDeps, sendMensagem, type SentMensagem } from '#modules/atendimento/index.ts'
import { findServed } from '#modules/conversas/index.ts'
import type { LineKey } from '#ports/bots.ts'

export interface ModeloSend {
  readonly id: string
  readonly nome: string
  readonly idioma: string
  readonly valores: readonly string[]
  readonly idTemporario?: string | undefined
}

/** Lists the templates that Meta approved for the number of the line. Throws `servidorOcupado` if Meta does not answer. */
export async function listApprovedModelos({ oficial }: Pick<Deps, 'oficial'>, line: LineKey): Promise<ModeloOficial[]> {
  const modelos = await oficial.listModelos(line)
  if (modelos === null)
    throw new AppError('servidorOcupado', { erro: 'A Meta não respondeu. Tente novamente em instantes.' })
  return [...modelos]
}

/**
 * Sends an approved template. Throws `naoEncontrado`, `modeloDesconhecido`, `dadosInvalidos`, `servidorOcupado` and the errors of a
 * send.
 */
export async function sendModelo(
  deps: SendDeps & Pick<Deps, 'oficial'>,
  session: LoginSession,
  send: ModeloSend,
): Promise<SentMensagem> {
  const { contaId } = session
  const { id: conversaId, idTemporario, idioma, valores } = send
  const served = await deps.db.read(contaId, (tx) => findServed(tx, contaId, conversaId, session))
  if (served === null) throw new AppError('naoEncontrado')
  const modelo = (await listApprovedModelos(deps, { contaId, linhaId: served.linhaId })).find(
    (one) => one.nome === send.nome && one.idioma === idioma,
  )
  if (modelo === undefined) throw new AppError('modeloDesconhecido')
  if (modelo.lacunas.length !== valores.length) {
    throw new AppError('dadosInvalidos', { erro: 'Preencha todos os dados do modelo' })
  }
  const filled = modelo.lacunas.map((lacuna, index) => ({ lacuna, valor: valores[index] ?? '' }))
  const texto = fillModelo(modelo.texto, filled)
  return deps.db.transaction(contaId, (tx) =>
    sendMensagem(tx, deps, {
      ...{ contaId, conversaId, texto, idTemporario, operador: session },
      modelo: { nome: modelo.nome, idioma, valores: filled },
    }),
  )
}

/** Fills the gaps in one pass, so a gap inside a value is not replaced. */
function fillModelo(text: string, values: readonly { readonly lacuna: string; readonly valor: string }[]): string {
  const byGap = new Map(values.map(({ lacuna, valor }) => [lacuna, valor]))
  return text.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (inteira, gap: string) => byGap.get(gap) ?? inteira)
}
