import { AVISO } from '@balcao/contract/constants'
import { useSyncExternalStore } from 'react'

/** Short notices, also kept in the Central de avisos. The toast library loads after the first paint. */
const library = async () => (await import('react-hot-toast/headless')).default

export type TipoAviso = 'sucesso' | 'erro' | 'info'

export interface AcaoDoAviso {
  readonly rotulo: string
  readonly fazer: () => void
}

export interface Aviso {
  readonly id: string
  readonly tipo: TipoAviso
  readonly texto: string
  readonly em: number
  readonly acao?: AcaoDoAviso
}

interface Opcoes {
  readonly duracaoMs?: number
  readonly acao?: AcaoDoAviso
}

const MANTIDOS = 20
let historico: readonly Aviso[] = []
let naoLidos = 0
const ouvintes = new Set<() => void>()

function changed(): void {
  for (const ouvinte of ouvintes) ouvinte()
}

function show(tipo: TipoAviso, texto: string, duracao: number, acao?: AcaoDoAviso): string {
  const id = crypto.randomUUID()
  const aviso = { id, tipo, texto, em: Date.now() }
  // Removes the action first, so that it runs only once.
  const fazer = (): void => {
    historico = historico.map((um) => (um.id === id ? aviso : um))
    changed()
    dispensarAviso(id)
    acao?.fazer()
  }
  const novo = acao === undefined ? aviso : { ...aviso, acao: { ...acao, fazer } }
  // A repeated text replaces the notice on screen. Notices with an action are never merged.
  const igual = historico.find((um) => um.tipo === tipo && um.texto === texto && um.acao === undefined)
  if (igual !== undefined && acao === undefined) dispensarAviso(igual.id)
  historico = [novo, ...historico].slice(0, MANTIDOS)
  naoLidos += 1
  changed()
  void library().then((toast) => toast.custom(texto, { id, duration: duracao }), keptAnyway)
  return id
}

const comoAviso =
  (tipo: TipoAviso, padraoMs: number) =>
  (texto: string, { duracaoMs = padraoMs, acao }: Opcoes = {}): string =>
    show(tipo, texto, duracaoMs, acao)

/** Default durations: success and info 3 s, error 5 s. */
export const avisar = {
  sucesso: comoAviso('sucesso', AVISO.sucessoMs),
  erro: comoAviso('erro', AVISO.erroMs),
  info: comoAviso('info', AVISO.sucessoMs),
} as const

export function dispensarAviso(id: string): void {
  void library().then((toast) => toast.dismiss(id), keptAnyway)
}

/** The next person in this browser must neither read nor undo the previous person's notices. */
addEventListener('saiu', () => {
  historico = []
  marcarAvisosLidos()
})

/** The library did not load (offline). The notice is still in the Central. */
function keptAnyway(): void {}

export function marcarAvisosLidos(): void {
  naoLidos = 0
  changed()
}

const subscribe = (ouvinte: () => void): (() => void) => {
  ouvintes.add(ouvinte)
  return () => void ouvintes.delete(ouvinte)
}

/** The last 20 notices, newest first. */
export function useAvisos(): readonly Aviso[] {
  return useSyncExternalStore(subscribe, () => historico)
}

export function useAvisosNaoLidos(): number {
  return useSyncExternalStore(subscribe, () => naoLidos)
}
