import { isDeepStrictEqual } from 'node:util'
import type { ConectorTipo } from '@balcao/contract/connectors'
import type { Componente } from '@balcao/contract/constants'
import type { Config, Horario } from '@balcao/contract/entities/config'
import { AppError } from '#errors.ts'
import { hasComponente, type LoginSession } from '#http/authentication.ts'
import { resolveApiKey } from './api-key.ts'
import { resolveOpcoes, resolveSetores } from './setores/setores.ts'

export type WritableSections = Readonly<Record<keyof Config, boolean>>

export interface ContaLimits {
  readonly iaPermitida: boolean
  /** Null: unlimited. */
  readonly opcoesMenuMaximo: number | null
}

export interface ConfigMerge {
  readonly config: Config
  readonly removedSetores: readonly string[]
}

/** Sections this session may write. An operador may write none. */
export function writableSectionsOf(session: LoginSession): WritableSections {
  const has = (componente: Componente): boolean => session.tipo !== 'operador' && hasComponente(session, componente)
  return {
    whatsapp: has('configuracaoGeral'),
    gemini: has('configuracaoGeral') || has('iaChatbot'),
    ia: has('iaChatbot'),
    menu: has('mensagensMenus'),
    atendimento: has('atendimentoHumano'),
  }
}

/**
 * Merges the stored and the sent configuration, limited to the sections the session may write. Throws `setorGeral`,
 * `setorDesconhecido`, `dadosInvalidos` or `limitePlano`.
 */
export function mergeConfig(
  current: Config,
  sent: Config,
  allowed: WritableSections,
  limits: ContaLimits,
  mode: {
    readonly agora: Date
    readonly conectores: readonly ConectorTipo[]
    readonly restaurando?: boolean
  },
): ConfigMerge {
  const key = resolveApiKey(current.gemini.apiKey, { gemini: sent.gemini.apiKey, ia: sent.ia.apiKey }, allowed)
  const atendimento = allowed.atendimento ? sent.atendimento : current.atendimento
  const resolved = resolveSetores(current.atendimento.setores, atendimento.setores, mode)
  if (resolved.tipo === 'semGeral') throw new AppError('setorGeral')

  const menu = allowed.menu ? sent.menu : current.menu
  const pointed = resolveOpcoes(menu.opcoes, resolved)
  if (pointed.tipo === 'desconhecido') throw new AppError('setorDesconhecido', { detalhes: pointed.detalhes })

  const config: Config = {
    whatsapp: allowed.whatsapp ? sent.whatsapp : current.whatsapp,
    gemini: { apiKey: key },
    ia: { ...(allowed.ia ? sent.ia : current.ia), apiKey: key },
    menu: { ...menu, opcoes: pointed.opcoes },
    atendimento: { ...atendimento, horario: withUsualZone(atendimento.horario), setores: resolved.setores },
  }
  requireConector(current, config, mode.conectores)
  requireTimeZone(current, config)
  requireIaAllowed(config, limits)
  requireMenuAllowed(current, config, limits)
  return { config, removedSetores: resolved.removidos }
}

/** A conta may keep a connector that this server does not have, but not change to it. */
function requireConector(current: Config, { whatsapp }: Config, conectores: readonly ConectorTipo[]): void {
  if (whatsapp.conector === current.whatsapp.conector || conectores.includes(whatsapp.conector)) return
  const mensagem = 'Este conector não está instalado neste servidor.'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'whatsapp.conector', mensagem }] })
}

/**
 * Accepts `UTC` and zone names with a slash. PostgreSQL rejects other forms that JavaScript accepts, or reads
 * offsets with the opposite sign, which would shift every day of the conta. The stored value is always accepted.
 */
function requireTimeZone(current: Config, { atendimento }: Config): void {
  const { fuso } = atendimento.horario
  if (fuso === 'UTC' || fuso.includes('/') || fuso === current.atendimento.horario.fuso) return
  throw unknownTimeZone()
}

/** Replaces an odd spelling such as `AMERICA/manaus`. An alias stays, and so does a stored zone that Node lost. */
function withUsualZone(horario: Horario): Horario {
  const usual = usualZone(horario.fuso)
  return usual?.toLowerCase() === horario.fuso.toLowerCase() ? { ...horario, fuso: usual } : horario
}

function usualZone(timeZone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export function unknownTimeZone(): AppError {
  const mensagem = 'Fuso horário desconhecido'
  return new AppError('dadosInvalidos', {
    erro: mensagem,
    detalhes: [{ caminho: 'atendimento.horario.fuso', mensagem }],
  })
}

function requireIaAllowed(config: Config, limites: ContaLimits): void {
  if (!config.ia.ativa) return
  if (!limites.iaPermitida) throw new AppError('limitePlano', { erro: 'Seu plano não inclui a IA.' })
  if (config.gemini.apiKey !== '') return
  const mensagem = 'API Key é obrigatória quando a IA está ativada'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'ia.apiKey', mensagem }] })
}

/** A menu above the cap of the plan may be kept, but not changed. */
function requireMenuAllowed(current: Config, fresh: Config, { opcoesMenuMaximo }: ContaLimits): void {
  const count = fresh.menu.opcoes.length
  if (opcoesMenuMaximo === null || count <= opcoesMenuMaximo) return
  const numbers = (config: Config): string[] => config.menu.opcoes.map(({ numero }) => numero)
  if (isDeepStrictEqual(numbers(current), numbers(fresh))) return
  const error = `Seu plano permite até ${opcoesMenuMaximo} opções no menu.`
  throw new AppError('limitePlano', { erro: error, usado: count, limite: opcoesMenuMaximo })
}

/** A plan without AI switches the AI off without changing the stored value. */
export function applyPlanoToConfig(config: Config, iaPermitida: boolean): Config {
  return iaPermitida || !config.ia.ativa ? config : { ...config, ia: { ...config.ia, ativa: false } }
}
