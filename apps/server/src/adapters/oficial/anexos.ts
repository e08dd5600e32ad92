import type { SessionHost } from '#ports/messaging.ts'
import type { NumeroOficial } from '#ports/oficial.ts'
import type { MensagemDaMeta } from './conteudo.ts'
import { FalhaMeta } from './falhas.ts'
import type { Graph } from './graph.ts'
import { baixarArquivo } from './midia.ts'
import { apresentar } from './saude.ts'

export interface AnexosOptions {
  readonly graph: Graph
  readonly numero: () => NumeroOficial | null
  readonly guardarMidia: SessionHost['guardarMidia']
  readonly registrar: (erro: unknown, oQue: string) => void
}

/**
 * Fetches the file of a message and keeps it; without it the message still says what it carried. Fails only where the file may
 * be had later: Meta keeps it for weeks, and with a new token it is there.
 */
export function createAnexos({ graph, numero, guardarMidia, registrar }: AnexosOptions) {
  /** Whether it is this file alone that is not for us. */
  const entramos = (atual: NumeroOficial): Promise<boolean> =>
    apresentar(graph, atual).then(
      () => true,
      (erro: unknown) => !semAcesso(erro),
    )

  return async ({ recebida, arquivo }: MensagemDaMeta): Promise<MensagemDaMeta['recebida']> => {
    const atual = numero()
    if (arquivo === undefined || atual === null) return recebida
    try {
      const bytes = await baixarArquivo(graph, atual, arquivo)
      return { ...recebida, midia: await guardarMidia(bytes, arquivo.filename ?? '') }
    } catch (error) {
      registrar(error, 'a file could not be kept')
      if (semAcesso(error) && !(await entramos(atual))) throw error
      return recebida
    }
  }
}

const semAcesso = (erro: unknown): boolean =>
  erro instanceof FalhaMeta && (erro.tipo === 'credenciais' || erro.tipo === 'bloqueada')
