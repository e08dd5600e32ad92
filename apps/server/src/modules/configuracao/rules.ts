import { isDeepStrictEqual } from 'node:util'
import type { Componente } from '@balcao/contract/constants'
import type { Config } from '@balcao/contract/entities/config'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { holds } from '#http/permission.ts'
import { resolverChave } from './chave.ts'
import { apontarOpcoes, resolverSetores } from './setores.ts'

export type Secoes = Readonly<Record<keyof Config, boolean>>

export interface LimitesDaConta {
  readonly iaPermitida: boolean
  /** Null: unlimited. */
  readonly opcoesMenuMaximo: number | null
}

export interface Mudanca {
  readonly config: Config
  readonly setoresRemovidos: readonly string[]
}

/** Sections this session may write. An operador may write none. */
export function secoesDe(sessao: Sessao): Secoes {
  const tem = (componente: Componente): boolean => sessao.tipo !== 'operador' && holds(sessao, componente)
  return {
    whatsapp: tem('configuracaoGeral'),
    gemini: tem('configuracaoGeral') || tem('iaChatbot'),
    ia: tem('iaChatbot'),
    menu: tem('mensagensMenus'),
    atendimento: tem('atendimentoHumano'),
  }
}

/**
 * Merges the stored and the sent configuration, limited to the sections the session may write. Throws `setorGeral`,
 * `setorDesconhecido`, `dadosInvalidos` or `limitePlano`.
 */
export function comporConfig(
  atual: Config,
  enviada: Config,
  pode: Secoes,
  limites: LimitesDaConta,
  modo: { readonly agora: Date; readonly restaurando?: boolean },
): Mudanca {
  const chave = resolverChave(atual.gemini.apiKey, { gemini: enviada.gemini.apiKey, ia: enviada.ia.apiKey }, pode)
  const atendimento = pode.atendimento ? enviada.atendimento : atual.atendimento
  const resolvidos = resolverSetores(atual.atendimento.setores, atendimento.setores, modo)
  if (resolvidos.tipo === 'semGeral') throw new AppError('setorGeral')

  const menu = pode.menu ? enviada.menu : atual.menu
  const apontadas = apontarOpcoes(menu.opcoes, resolvidos)
  if (apontadas.tipo === 'desconhecido') throw new AppError('setorDesconhecido', { detalhes: apontadas.detalhes })

  const config: Config = {
    whatsapp: pode.whatsapp ? enviada.whatsapp : atual.whatsapp,
    gemini: { apiKey: chave },
    ia: { ...(pode.ia ? enviada.ia : atual.ia), apiKey: chave },
    menu: { ...menu, opcoes: apontadas.opcoes },
    atendimento: { ...atendimento, setores: resolvidos.setores },
  }
  conferirFuso(atual, config)
  conferirIa(config, limites)
  conferirMenu(atual, config, limites)
  return { config, setoresRemovidos: resolvidos.removidos }
}

/**
 * Accepts `UTC` and zone names with a slash. PostgreSQL rejects other forms that JavaScript accepts, or reads
 * offsets with the opposite sign, which would shift every day of the conta. The stored value is always accepted.
 */
function conferirFuso(atual: Config, { atendimento }: Config): void {
  const { fuso } = atendimento.horario
  if (fuso === 'UTC' || fuso.includes('/') || fuso === atual.atendimento.horario.fuso) return
  const mensagem = 'Fuso horário desconhecido'
  throw new AppError('dadosInvalidos', {
    erro: mensagem,
    detalhes: [{ caminho: 'atendimento.horario.fuso', mensagem }],
  })
}

function conferirIa(config: Config, limites: LimitesDaConta): void {
  if (!config.ia.ativa) return
  if (!limites.iaPermitida) throw new AppError('limitePlano', { erro: 'Seu plano não inclui a IA.' })
  if (config.gemini.apiKey !== '') return
  const mensagem = 'API Key é obrigatória quando a IA está ativada'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'ia.apiKey', mensagem }] })
}

/** A menu above the cap of the plan may be kept, but not changed. */
function conferirMenu(atual: Config, nova: Config, { opcoesMenuMaximo }: LimitesDaConta): void {
  const quantas = nova.menu.opcoes.length
  if (opcoesMenuMaximo === null || quantas <= opcoesMenuMaximo) return
  const numeros = (config: Config): string[] => config.menu.opcoes.map(({ numero }) => numero)
  if (isDeepStrictEqual(numeros(atual), numeros(nova))) return
  const erro = `Seu plano permite até ${opcoesMenuMaximo} opções no menu.`
  throw new AppError('limitePlano', { erro, usado: quantas, limite: opcoesMenuMaximo })
}

/** A plan without AI switches the AI off without changing the stored value. */
export function aplicarPlano(config: Config, iaPermitida: boolean): Config {
  return iaPermitida || !config.ia.ativa ? config : { ...config, ia: { ...config.ia, ativa: false } }
}
