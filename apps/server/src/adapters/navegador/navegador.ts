import type { FastifyBaseLogger } from 'fastify'
import type { ConnectorFactory } from '#ports/messaging.ts'
import { type Biblioteca, carregarBiblioteca } from './biblioteca.ts'
import { createPerfis } from './perfis.ts'
import type { TemposNavegador } from './opcoes.ts'
import { createSessao } from './sessao.ts'
import { createVagas } from './vagas.ts'
import { createVezes } from './vezes.ts'

export interface NavegadorOptions extends TemposNavegador {
  /** Where the folders of the browsers are. */
  readonly dir: string
  /** Programs that may be run beside those at the usual places. */
  readonly permitidos?: readonly string[] | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Another library in the place of whatsapp-web.js, for tests. */
  readonly carregar?: () => Promise<Biblioteca>
  readonly maximo?: number
  readonly memoriaMaxima?: number
}

/** WhatsApp Web in a Chrome of this server: heavier than the protocol by itself, and as close to the page as it gets. */
export function createNavegador(opcoes: NavegadorOptions): {
  readonly factory: ConnectorFactory
  /** Erases the link of an account that no session holds. */
  readonly esquecer: (contaId: string) => Promise<void>
  /** Erases the links whose account is gone or was unlinked elsewhere; `vivas` says which of these are not. How many. */
  readonly recolher: (vivas: (contas: readonly string[]) => Promise<ReadonlySet<string>>) => Promise<number>
} {
  const { dir, permitidos = [], log, carregar = carregarBiblioteca, maximo } = opcoes
  const perfis = createPerfis(dir)
  const vagas = createVagas(maximo)
  const vezes = createVezes()
  const esquecer = async (contaId: string): Promise<boolean> => {
    if (vezes.ocupada(contaId)) return false
    const soltar = await vezes.tomar(contaId)
    try {
      await perfis.apagar(contaId)
      return true
    } finally {
      soltar()
    }
  }
  return {
    factory: (host) => {
      const { contaId } = host
      // The first line of its words is enough: what follows comes out of the page.
      const registrar = (erro: unknown, oQue: string): void =>
        log.warn({ contaId, detalhe: detalheDe(erro) }, `navegador: ${oQue}`)
      return createSessao(host, { ...opcoes, permitidos, perfis, vagas, vezes, carregar, registrar })
    },
    esquecer: async (contaId) => void (await esquecer(contaId)),
    recolher: async (vivas) => {
      const contas = await perfis.listar()
      const restam = contas.length === 0 ? new Set<string>() : await vivas(contas)
      const feitas = await Promise.all(contas.filter((conta) => !restam.has(conta)).map(esquecer))
      return feitas.filter(Boolean).length
    },
  }
}

const DETALHE_MAXIMO = 300

function detalheDe(erro: unknown): string {
  const texto = erro instanceof Error ? `${erro.name}: ${erro.message}` : String(erro)
  return texto.split('\n', 1)[0]?.slice(0, DETALHE_MAXIMO) ?? ''
}
