import type { SessionHost } from '#ports/messaging.ts'
import type { Biblioteca, ClienteWeb } from './biblioteca.ts'
import { diagnosticar } from './diagnostico.ts'
import { acharExecutavel } from './executavel.ts'
import { falhaDeAbertura } from './falhas.ts'
import { type Ouvintes, ouvir } from './ouvir.ts'
import type { Perfis } from './perfis.ts'
import { comPrazo, ForaDoPrazo } from './prazo.ts'
import { encerrarPerfil, memoriaDe, processosDoPerfil } from './processos.ts'

/** One browser and its page, from launch until its last process has ended. */
export interface Aberta {
  readonly cliente: ClienteWeb
  /** Resolves when the page is loaded. Rejects like `initialize`, or with the reason why the browser does not start. */
  readonly carregar: () => Promise<void>
  readonly memoria: () => Promise<number | null>
  /** Never rejects. Afterwards no event fires and no process runs. */
  readonly fechar: () => Promise<void>
}

export interface AbrirOptions {
  readonly host: Pick<SessionHost, 'contaId' | 'chromePath'>
  readonly permitidos: readonly string[]
  readonly perfis: Perfis
  readonly biblioteca: Biblioteca
  readonly vazia: boolean
  readonly ao: Ouvintes & { readonly caiu: () => void }
  readonly registrar: (erro: unknown, oQue: string) => void
  readonly carregarMs: number
}

const DESPEDIDA_MS = 5_000

/** Chrome refuses to run as root with its sandbox on. */
export const semProtecao = process.getuid?.() === 0

/** Throws `FalhaDoNavegador` when the program is not allowed or does not run. */
export async function abrir(opcoes: AbrirOptions): Promise<Aberta> {
  const { host, perfis, biblioteca, ao, registrar } = opcoes
  const executavel = await acharExecutavel(host.chromePath, opcoes)
  const { pasta: perfil, encerrados } = await perfis.preparar(host.contaId, opcoes)
  if (encerrados > 0) registrar(`${encerrados} processes`, 'leftover browser processes ended')
  const abertura = { executavel, perfil, semProtecao }
  const cliente = biblioteca.criar(abertura)
  const calar = ouvir(cliente, ao)
  let fechada = false
  /** A browser still launching may come up after it was closed. Closing is then repeated. */
  let lancada = false
  let fim: Promise<void> | null = null

  const porque = async (erro: unknown): Promise<unknown> => {
    if (fechada || erro instanceof ForaDoPrazo || falhaDeAbertura(erro).motivo !== 'navegadorCaiu') return erro
    await encerrarPerfil(perfil)
    return (await diagnosticar(abertura)) ?? erro
  }

  const encerrar = async (): Promise<void> => {
    fechada = true
    calar()
    // A graceful shutdown lets Chrome finish its writes; processes that ignore it are killed.
    await comPrazo(cliente.destroy(), DESPEDIDA_MS).catch(() => undefined)
    await encerrarPerfil(perfil).catch((erro: unknown) => registrar(erro, 'browser not ended'))
  }

  return {
    cliente,
    carregar: async () => {
      try {
        await comPrazo(cliente.initialize(), opcoes.carregarMs)
        lancada = true
      } catch (erro) {
        throw await porque(erro)
      }
      cliente.pupBrowser?.on('disconnected', () => {
        if (!fechada) ao.caiu()
      })
      if (cliente.pupBrowser?.isConnected() === false) ao.caiu()
    },
    memoria: async () => memoriaDe(await processosDoPerfil(perfil)),
    fechar: () => {
      if (!lancada || fim === null) fim = encerrar()
      return fim
    },
  }
}
