import type { FastifyBaseLogger } from 'fastify'
import type { ConnectorFactory } from '#ports/messaging.ts'
import { type Biblioteca, carregarBiblioteca } from './biblioteca.ts'
import { createPerfis } from './perfis.ts'
import type { TemposNavegador } from './opcoes.ts'
import { createSessao } from './sessao.ts'
import { createVagas } from './vagas.ts'
import { createVezes } from './vezes.ts'

export interface NavegadorOptions extends TemposNavegador {
  readonly dir: string
  readonly permitidos?: readonly string[] | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly carregar?: () => Promise<Biblioteca>
  readonly maximo?: number
  readonly memoriaMaxima?: number
}

/** Connector for WhatsApp Web in a Chrome of this server. It needs more memory than the protocol connector. */
export function createNavegador(opcoes: NavegadorOptions): {
  readonly factory: ConnectorFactory
  readonly esquecer: (contaId: string) => Promise<void>
  /**
   * Deletes profiles of deleted or unlinked accounts and returns how many. `vivas` returns which of the given
   * accounts are still linked.
   */
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
