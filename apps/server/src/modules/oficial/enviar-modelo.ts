import type { ModeloOficial } from '@balcao/contract/entities/oficial'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { type EnviarDeps, enviarComoOperador, type MensagemEnviada } from '#modules/atendimento/index.ts'

export interface EnvioDeModelo {
  readonly id: string
  readonly nome: string
  readonly idioma: string
  readonly valores: readonly string[]
  readonly idTemporario?: string | undefined
}

/** Lists the templates that Meta approved for the conta. Throws `servidorOcupado` if Meta does not answer. */
export async function lerModelos({ oficial }: Pick<Deps, 'oficial'>, contaId: string): Promise<ModeloOficial[]> {
  const modelos = await oficial.modelos(contaId)
  if (modelos === null)
    throw new AppError('servidorOcupado', { erro: 'A Meta não respondeu. Tente novamente em instantes.' })
  return [...modelos]
}

/**
 * Sends an approved template. Throws `modeloDesconhecido`, `dadosInvalidos`, `servidorOcupado` and the errors of a
 * send.
 */
export async function enviarModelo(
  deps: EnviarDeps & Pick<Deps, 'oficial'>,
  { contaId, usuarioId, nome }: Sessao,
  envio: EnvioDeModelo,
): Promise<MensagemEnviada> {
  const { id: conversaId, idTemporario, idioma, valores } = envio
  const modelo = (await lerModelos(deps, contaId)).find((um) => um.nome === envio.nome && um.idioma === idioma)
  if (modelo === undefined) throw new AppError('modeloDesconhecido')
  if (modelo.lacunas.length !== valores.length) {
    throw new AppError('dadosInvalidos', { erro: 'Preencha todos os dados do modelo' })
  }
  const preenchidas = modelo.lacunas.map((lacuna, indice) => ({ lacuna, valor: valores[indice] ?? '' }))
  const texto = preencher(modelo.texto, preenchidas)
  return deps.db.transaction(contaId, (tx) =>
    enviarComoOperador(tx, deps, {
      ...{ contaId, conversaId, texto, idTemporario, operador: { id: usuarioId, nome } },
      modelo: { nome: modelo.nome, idioma, valores: preenchidas },
    }),
  )
}

/** Fills the gaps in one pass, so a gap inside a value is not replaced. */
function preencher(texto: string, valores: readonly { readonly lacuna: string; readonly valor: string }[]): string {
  const por = new Map(valores.map(({ lacuna, valor }) => [lacuna, valor]))
  return texto.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (inteira, lacuna: string) => por.get(lacuna) ?? inteira)
}
