import { AVISO } from '@balcao/contract/constants'
import { useSyncExternalStore } from 'react'

/**
 * Short notices. Each is also kept in the Central de avisos, so nothing is only said in passing. The library that times them comes
 * after the first paint, with the component that draws them.
 */
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
  // What was undone once is not offered again.
  const fazer = (): void => {
    historico = historico.map((um) => (um.id === id ? aviso : um))
    changed()
    dispensarAviso(id)
    acao?.fazer()
  }
  const novo = acao === undefined ? aviso : { ...aviso, acao: { ...acao, fazer } }
  // The same words again take the place of those on screen. What each can take back stays apart.
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

/** The product's own toasts (spec §9): success 3 s, error 5 s, others as asked. */
export const avisar = {
  sucesso: comoAviso('sucesso', AVISO.sucessoMs),
  erro: comoAviso('erro', AVISO.erroMs),
  info: comoAviso('info', AVISO.sucessoMs),
} as const

export function dispensarAviso(id: string): void {
  void library().then((toast) => toast.dismiss(id), keptAnyway)
}

/** Whoever comes next reads no notice of another's customers, nor takes back what another did. */
addEventListener('saiu', () => {
  historico = []
  marcarAvisosLidos()
})

/** Without network the library may not come; the notice is in the Central all the same. */
function keptAnyway(): void {}

export function marcarAvisosLidos(): void {
  naoLidos = 0
  changed()
}

const subscribe = (ouvinte: () => void): (() => void) => {
  ouvintes.add(ouvinte)
  return () => void ouvintes.delete(ouvinte)
}

/** The last twenty notices, newest first. */
export function useAvisos(): readonly Aviso[] {
  return useSyncExternalStore(subscribe, () => historico)
}

export function useAvisosNaoLidos(): number {
  return useSyncExternalStore(subscribe, () => naoLidos)
}
