import type { ItemSaida } from './fila.ts'
import { findConversaHumana } from './conversa-humana.ts'
import { aEnviar, type Decisao } from './decisao.ts'
import type { Perguntas } from './perguntas.ts'
import { publicarDecisao } from './publicar.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { Sessions } from './sessions.ts'

export interface EfeitosOptions {
  readonly sessions: Sessions
  readonly perguntas: Perguntas
  readonly acordarOutroNo: (contaId: string) => void
}

/**
 * Runs after the commit: sends, publishes and schedules questions. Everything here is already stored or may be
 * lost.
 */
export function createEfeitos(deps: BotDeps, { sessions, perguntas, acordarOutroNo }: EfeitosOptions) {
  const { realtime, db, log } = deps

  const novaConversa = async (contaId: string, conversaId: string): Promise<void> => {
    try {
      const conversa = await db.read(contaId, (tx) => findConversaHumana(tx, contaId, conversaId))
      if (conversa !== null) realtime.publish(contaId, 'novaConversaHumana', { userId: contaId, conversa })
    } catch (error) {
      log.warn({ err: error, contaId }, 'new conversa not published, the panel refetches it')
    }
  }

  const rodar = (decisao: Decisao): void => {
    const { contaId, conversaId, contato, agora } = decisao
    for (const efeito of decisao.efeitos) {
      switch (efeito.tipo) {
        case 'perguntarIa': {
          const perguntarEm = new Date(agora.getTime() + efeito.esperaMs)
          perguntas.agendar({ contaId, contatoId: contato.id, id: efeito.perguntaId, perguntarEm })
          break
        }
        case 'abrirConversaHumana':
          if (conversaId !== null) realtime.abrir(conversaId, () => novaConversa(contaId, conversaId))
          break
        case 'enviarTexto':
        case 'enviarImagem':
          break
        case 'finalizarConversa':
        case 'registrarAvaliacao':
        case 'pularAvaliacao':
        case 'registrarConsentimento':
        case 'registrarLog':
          break
        default:
          efeito satisfies never
      }
    }
  }

  const enviar = (decisoes: readonly Decisao[]): void => {
    const outros = new Set<string>()
    for (const decisao of decisoes) {
      const sessao = sessions.get(decisao.contaId)
      sessao?.vista(decisao.contato.id, decisao.humana)
      const itens = toItens(decisao)
      if (itens.length === 0) continue
      if (sessao === undefined) outros.add(decisao.contaId)
      else sessao.fila.enfileirar(itens)
    }
    for (const contaId of outros) acordarOutroNo(contaId)
  }

  return (decisoes: readonly Decisao[]): void => {
    enviar(decisoes)
    for (const decisao of decisoes) {
      publicarDecisao(realtime, decisao)
      rodar(decisao)
    }
  }
}

function toItens(decisao: Decisao): ItemSaida[] {
  const { contaId, contato, endereco, digitando, humana } = decisao
  return aEnviar(decisao).map(({ id, texto, midia }) => ({
    contaId,
    mensagemId: id,
    contatoId: contato.id,
    endereco,
    idExterno: id,
    texto,
    digitando,
    tentativas: 0,
    humana,
    ...(midia === null ? {} : { midia }),
  }))
}
