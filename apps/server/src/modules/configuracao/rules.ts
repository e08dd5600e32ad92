import { isDeepStrictEqual } from 'node:util'
import type { Componente } from '@balcao/contract/constants'
import type { Config } from '@balcao/contract/entities/config'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { holds } from '#http/permission.ts'
import { resolverChave } from './chave.ts'
import { apontarOpcoes, resolverSetores } from './setores.ts'

export type Secoes = Readonly<Record<keyof Config, boolean>>

/** What the account's plan says about its configuration. */
export interface LimitesDaConta {
  readonly iaPermitida: boolean
  /** Null is no cap. */
  readonly opcoesMenuMaximo: number | null
}

export interface Mudanca {
  readonly config: Config
  readonly setoresRemovidos: readonly string[]
}

/** The sections this session may write (decisions §5). Operators serve customers; they configure nothing. */
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
 * What is in force, what was sent, and what the session may write → the configuration to store.
 * Throws `setorGeral`, `setorDesconhecido`, `dadosInvalidos` or `limitePlano`; nothing is half applied.
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
 * A zone by its place, or UTC. What else JavaScript takes, an offset or an abbreviation, the database refuses or reads the other
 * way round, and every day of the account would be counted with it. One that was there before stays.
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

/** A menu that was longer before the plan came stays as it is; it only cannot be saved anew beyond the cap. */
function conferirMenu(atual: Config, nova: Config, { opcoesMenuMaximo }: LimitesDaConta): void {
  const quantas = nova.menu.opcoes.length
  if (opcoesMenuMaximo === null || quantas <= opcoesMenuMaximo) return
  const numeros = (config: Config): string[] => config.menu.opcoes.map(({ numero }) => numero)
  if (isDeepStrictEqual(numeros(atual), numeros(nova))) return
  const erro = `Seu plano permite até ${opcoesMenuMaximo} opções no menu.`
  throw new AppError('limitePlano', { erro, usado: quantas, limite: opcoesMenuMaximo })
}

/** What binds now: a plan without AI switches it off, whatever is stored. */
export function aplicarPlano(config: Config, iaPermitida: boolean): Config {
  return iaPermitida || !config.ia.ativa ? config : { ...config, ia: { ...config.ia, ativa: false } }
}
