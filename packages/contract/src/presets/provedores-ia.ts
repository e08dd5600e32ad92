import { MODELO_IA_PADRAO, type PROVEDORES_IA } from '#constants.ts'
import type { Config } from '#entities/config.ts'
import { resolveModelo } from './editor-presets.ts'

export type ProvedorIa = (typeof PROVEDORES_IA)[number]

interface ProvedorFacts {
  readonly nome: string
  /** Grammatical gender of `nome`, for Portuguese sentences. */
  readonly artigo: 'o' | 'a'
  /** Company and country that receive the questions, for the privacy texts. */
  readonly empresa: string
  readonly pais: string
  /** Model of an account that chose none of this provider. Empty: the owner writes one. */
  readonly modeloPadrao: string
  /** Page where the owner creates the key. */
  readonly paginaDaChave: string
  /** Writes down voice notes. */
  readonly transcreve: boolean
}

const EUA = 'Estados Unidos'

export const FATOS_PROVEDOR: Readonly<Record<ProvedorIa, ProvedorFacts>> = {
  gemini: {
    nome: 'Gemini',
    artigo: 'o',
    empresa: 'Google',
    pais: EUA,
    modeloPadrao: MODELO_IA_PADRAO,
    paginaDaChave: 'https://aistudio.google.com/apikey',
    transcreve: true,
  },
  openai: {
    nome: 'OpenAI',
    artigo: 'a',
    empresa: 'OpenAI',
    pais: EUA,
    modeloPadrao: 'gpt-6-luna',
    paginaDaChave: 'https://platform.openai.com/api-keys',
    transcreve: true,
  },
  anthropic: {
    nome: 'Anthropic',
    artigo: 'a',
    empresa: 'Anthropic',
    pais: EUA,
    modeloPadrao: 'claude-haiku-5-5',
    paginaDaChave: 'https://platform.claude.com/settings/keys',
    transcreve: false,
  },
  compativel: {
    nome: 'provedor próprio',
    artigo: 'o',
    empresa: '',
    pais: '',
    modeloPadrao: '',
    paginaDaChave: '',
    transcreve: false,
  },
}

export type ChavesIa = Readonly<Record<ProvedorIa, string>>

export function chavesOf({ gemini, ia }: Pick<Config, 'gemini' | 'ia'>): ChavesIa {
  return { ...ia.chaves, gemini: gemini.apiKey }
}

export function withChaves(config: Config, { gemini, ...chaves }: ChavesIa): Config {
  return { ...config, gemini: { apiKey: gemini }, ia: { ...config.ia, apiKey: gemini, chaves } }
}

/** True if the chosen provider can be asked. A compatible host needs an address; its key is optional. */
export function isProvedorReady(config: Pick<Config, 'gemini' | 'ia'>): boolean {
  const { provedor, urlBase } = config.ia
  return provedor === 'compativel' ? urlBase !== '' : chavesOf(config)[provedor] !== ''
}

/** True if voice notes of customers are written down by the chosen provider. */
export function transcribesVoice({ transcrever, provedor }: Pick<Config['ia'], 'transcrever' | 'provedor'>): boolean {
  return transcrever && FATOS_PROVEDOR[provedor].transcreve
}

/** The chosen provider, if it makes vectors of the sources. Null: a search compares words alone. */
export function provedorDeVetores({ provedor }: Pick<Config['ia'], 'provedor'>): 'gemini' | 'openai' | null {
  return provedor === 'gemini' || provedor === 'openai' ? provedor : null
}

export type MidiaLida = 'imagem' | 'audio'

/** Files of customers that a model reads. Models of an unknown host get none. */
export function midiasLidas(provedor: ProvedorIa, modelo: string): readonly MidiaLida[] {
  if (provedor === 'gemini') return resolveModelo(modelo).startsWith('gemini-') ? ['imagem', 'audio'] : []
  return provedor === 'compativel' ? [] : ['imagem']
}
