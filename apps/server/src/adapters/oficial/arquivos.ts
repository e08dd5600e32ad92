import { createGuardarMidia } from '#adapters/guardar-midia.ts'
import type { InboundMessage, SessionHost } from '#ports/messaging.ts'
import type { NumeroOficial } from '#ports/oficial.ts'
import type { ArquivoRemoto, MensagemDaMeta } from './conteudo.ts'
import { FalhaMeta } from './falhas.ts'
import type { Graph } from './graph.ts'
import { baixarArquivo } from './midia.ts'
import { apresentar } from './saude.ts'
import { createVagas } from './vagas.ts'

export interface ArquivosOptions {
  readonly graph: Graph
  readonly host: Pick<SessionHost, 'guardarMidia'>
  readonly numero: () => NumeroOficial | null
  readonly registrar: (erro: unknown, oQue: string) => void
}

/** After a stopped bot many wait, each some megabytes in memory. */
const AO_MESMO_TEMPO = 4

/** Gives a message its file. Without it the message still says what it carried; rejects only where it may be had later. */
export function createArquivos(opcoes: ArquivosOptions): (mensagem: MensagemDaMeta) => Promise<InboundMessage> {
  const { graph, host, numero, registrar } = opcoes
  const emVaga = createVagas(AO_MESMO_TEMPO)
  const guardar = createGuardarMidia(host, registrar)

  const trazer = async (
    atual: NumeroOficial,
    recebida: InboundMessage,
    arquivo: ArquivoRemoto,
  ): Promise<InboundMessage> => {
    try {
      const bytes = await baixarArquivo(graph, atual, arquivo)
      return { ...recebida, midia: await guardar(bytes, arquivo.filename ?? '') }
    } catch (error) {
      registrar(error, 'a file could not be kept')
      // Meta keeps it for weeks: with a new token it is there.
      if (semAcesso(error) && !(await entramos(graph, atual))) throw error
      return recebida
    }
  }

  return async ({ recebida, arquivo }) => {
    const atual = numero()
    return arquivo === undefined || atual === null ? recebida : emVaga(() => trazer(atual, recebida, arquivo))
  }
}

/** Whether it is this file alone that is not for us. */
const entramos = (graph: Graph, numero: NumeroOficial): Promise<boolean> =>
  apresentar(graph, numero).then(
    () => true,
    (erro: unknown) => !semAcesso(erro),
  )

const semAcesso = (erro: unknown): boolean =>
  erro instanceof FalhaMeta && (erro.tipo === 'credenciais' || erro.tipo === 'bloqueada')
