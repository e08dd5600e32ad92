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

/** Limits memory: after a stop many files wait, each of some megabytes. */
const AO_MESMO_TEMPO = 4

/**
 * Downloads the file of a message. Without its file the message still names the type of media. Rejects only when a
 * later attempt may succeed.
 */
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
      registrar(error, 'media not stored')
      // Meta keeps the file for weeks, so it can be downloaded with a new token.
      if (semAcesso(error) && !(await entramos(graph, atual))) throw error
      return recebida
    }
  }

  return async ({ recebida, arquivo }) => {
    const atual = numero()
    return arquivo === undefined || atual === null ? recebida : emVaga(() => trazer(atual, recebida, arquivo))
  }
}

/** False when the token itself was rejected, not only this file. */
const entramos = (graph: Graph, numero: NumeroOficial): Promise<boolean> =>
  apresentar(graph, numero).then(
    () => true,
    (erro: unknown) => !semAcesso(erro),
  )

const semAcesso = (erro: unknown): boolean =>
  erro instanceof FalhaMeta && (erro.tipo === 'credenciais' || erro.tipo === 'bloqueada')
