import { type ConversaReader, isRestricted } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { revisoesRoute } from '@balcao/contract/routes/atendimento-revisoes'
import {
  arquivosDaConversaRoute,
  conversaHumanaRoute,
  mensagensDaConversaRoute,
} from '@balcao/contract/routes/atendimento'
import {
  assumirConversaRoute,
  devolverConversaRoute,
  digitandoRoute,
  enviarMensagemRoute,
  fichaDoClienteRoute,
  finalizarConversaRoute,
  reenviarMensagemRoute,
  testeConversaRoute,
  transferirConversaRoute,
} from '@balcao/contract/routes/atendimento-conversa'
import {
  desfazerConversaRoute,
  iniciarConversaRoute,
  reabrirConversaRoute,
  soltarConversaRoute,
} from '@balcao/contract/routes/atendimento-acts'
import {
  apagarMensagemRoute,
  editarMensagemRoute,
  encaminharMensagemRoute,
} from '@balcao/contract/routes/atendimento-mensagens'
import { reagirRoute } from '@balcao/contract/routes/atendimento-reactions'
import { atualizarSetorRoute, criarSetorRoute, removerSetorRoute } from '@balcao/contract/routes/atendimento-setores'
import { loteRoute } from '@balcao/contract/routes/lote'
import { setoresRoute } from '@balcao/contract/routes/atendimento-resumo'
import { inOrder } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { pageOf } from '#http/page.ts'
import { isUuid } from '#lib/text.ts'
import { createSharedReads } from '#lib/queue/share-reads.ts'
import type { ArquivosDeps } from '#modules/arquivos/index.ts'
import type { ConfigDeps } from '#modules/configuracao/index.ts'
import { readMarks, withMarks } from '#modules/leituras/index.ts'
import { listContatosComBot } from './bot-list.ts'
import { createActBatcher } from './conversa/act-batch.ts'
import { type Act, refOf, signalTyping } from './conversa/change.ts'
import { type End, endConversa } from './conversa/end.ts'
import { startConversa, reopenConversa } from './conversa/open-conversa.ts'
import { releaseConversa } from './conversa/release.ts'
import { takeConversa } from './conversa/take.ts'
import { createTestConversa } from './conversa/test-conversa.ts'
import { takeFromColleague, transferConversa } from './conversa/transfer.ts'
import { undoAct } from './conversa/undo.ts'
import { changeSent } from './envio/change-sent.ts'
import { forwardMensagem } from './envio/forward.ts'
import { react } from './envio/react.ts'
import { resendMensagem } from './envio/resend.ts'
import { createSendBatcher } from './envio/send-batch.ts'
import type { SendDeps } from './envio/send-mensagens.ts'
import { runMany } from './lote/many-acts.ts'
import { type FichaDeps, listChatFiles, readFicha } from './ficha.ts'
import { listServedConversas, listMensagensOf, conversaPageOf, readConversa } from './queries.ts'
import { readRevisoes } from './revisoes.ts'
import { createReadTogether } from './read-together.ts'
import { listView, type ViewRequest } from './views.ts'
import { updateSetor, createSetor, listSetores, removeSetor } from './setores.ts'

const MENSAGENS_PER_PAGE = 50
const FILES_PER_PAGE = 30

/** Readers of all conversas are equal, so that their equal reads are shared. */
function readerOf({ usuarioId, setores, linhas }: LoginSession): ConversaReader {
  return { usuarioId: isRestricted({ setores, linhas }) ? usuarioId : '', setores, linhas }
}

function operadorOf(
  { operador }: { readonly operador?: string | undefined },
  { usuarioId }: LoginSession,
): { readonly operador?: string | null } {
  if (operador === undefined) return {}
  return { operador: operador === 'eu' ? usuarioId : operador === 'ninguem' ? null : operador }
}

/** A view of the caller, with what the caller read and marked. */
function readView(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sessao: LoginSession,
  query: Omit<ViewRequest, 'contaId' | 'usuarioId' | 'reader' | 'operador' | 'now'> & {
    readonly operador?: string | undefined
  },
): ReturnType<typeof listView> {
  const { contaId, usuarioId } = sessao
  const now = clock.now()
  const request = { ...query, contaId, usuarioId, reader: sessao, now, operador: operadorOf(query, sessao).operador }
  return db.read(
    contaId,
    async (tx) => {
      const { conversas, ...page } = await listView(tx, request)
      const marks = await readMarks(
        tx,
        sessao,
        conversas.map(({ id }) => id),
        now,
      )
      return { conversas: conversas.map((conversa) => withMarks(conversa, marks)), ...page }
    },
    { planner: 'indexes' },
  )
}

function readRoutes(deps: ConfigDeps & FichaDeps): BoundRoute[] {
  // All windows of a conta refetch the same lists after an event or a reconnect. Concurrent equal reads share one
  // query.
  const readTogether = createReadTogether(deps.db)
  const lists = createSharedReads<Awaited<ReturnType<typeof listServedConversas | typeof listContatosComBot>>>()
  const revisoes = createSharedReads<Awaited<ReturnType<typeof readRevisoes>>>()
  const pages = createSharedReads<Awaited<ReturnType<typeof listMensagensOf>>>()
  return [
    bind(conversasHumanasRoute, ({ sessao, query }) => {
      const { contaId } = sessao
      const { status, visao, ...rest } = query
      if (visao !== undefined) return readView(deps, sessao, { ...query, visao })
      const pagina = conversaPageOf(query)
      if (status === 'bot') {
        const { busca, linha } = rest
        const { linhas, tipo, componentes } = sessao
        const request = { busca, linha, linhas, pedidos: tipo === 'admin' || componentes.lojaWhatsapp, pagina }
        return lists(JSON.stringify([contaId, status, request]), () =>
          deps.db.read(contaId, (tx) => listContatosComBot(tx, deps, contaId, request)),
        )
      }
      // The reader is part of the key: operadores of other setores get another list.
      const filter = { ...rest, ...operadorOf(query, sessao), status, pagina, reader: readerOf(sessao) }
      return lists(JSON.stringify([contaId, filter]), () =>
        // A search has several statements that wait for each other, and may be slow.
        filter.busca === undefined && filter.etiqueta === undefined && filter.mensagens === 0
          ? readTogether(contaId, (tx) => listServedConversas(tx, contaId, filter))
          : deps.db.read(contaId, (tx) => listServedConversas(tx, contaId, filter), { planner: 'indexes' }),
      )
    }),
    bind(revisoesRoute, ({ sessao, query: { desde } }) => {
      const { contaId } = sessao
      const filter = { contaId, reader: readerOf(sessao), desde }
      return revisoes(JSON.stringify(filter), () => readTogether(contaId, (tx) => readRevisoes(tx, filter)))
    }),
    bind(conversaHumanaRoute, ({ sessao, params: { id } }) =>
      readTogether(sessao.contaId, async (tx) => {
        const [conversa, marks] = await inOrder([
          readConversa(tx, refOf(sessao, id)),
          readMarks(tx, sessao, isUuid(id) ? [id] : [], deps.clock.now()),
        ])
        return { conversa: withMarks(conversa, marks) }
      }),
    ),
    bind(mensagensDaConversaRoute, ({ sessao, params, query }) => {
      const ref = { contaId: sessao.contaId, id: params.id, reader: readerOf(sessao) }
      const page = pageOf(query, MENSAGENS_PER_PAGE)
      return pages(JSON.stringify([ref.contaId, ref, page]), () =>
        readTogether(ref.contaId, (tx) => listMensagensOf(tx, ref, page)),
      )
    }),
    bind(arquivosDaConversaRoute, ({ sessao, params, query }) =>
      deps.db.read(sessao.contaId, (tx) => listChatFiles(tx, refOf(sessao, params.id), pageOf(query, FILES_PER_PAGE)), {
        planner: 'indexes',
      }),
    ),
    bind(fichaDoClienteRoute, ({ sessao, params }) =>
      deps.db.read(sessao.contaId, (tx) => readFicha(tx, deps, refOf(sessao, params.id))),
    ),
  ]
}

function mensagemRoutes(deps: SendDeps & ArquivosDeps): BoundRoute[] {
  const send = createSendBatcher(deps)
  return [
    bind(enviarMensagemRoute, ({ sessao, params, body }) => {
      const { mensagem: texto, idTemporario, citadaId } = body
      const { contaId } = sessao
      return send({ contaId, conversaId: params.id, texto, idTemporario, citadaId, operador: sessao })
    }),
    bind(reenviarMensagemRoute, ({ sessao, params }) => resendMensagem(deps, sessao, params.id)),
    bind(encaminharMensagemRoute, ({ sessao, params, body }) =>
      forwardMensagem(deps, send, sessao, { ...params, ...body }),
    ),
    bind(editarMensagemRoute, ({ sessao, params, body }) => changeSent(deps, sessao, { ...params, ...body })),
    bind(apagarMensagemRoute, ({ sessao, params }) => changeSent(deps, sessao, { ...params, texto: null })),
    bind(reagirRoute, ({ sessao, params, body }) => react(deps, sessao, { ...params, ...body })),
  ]
}

function setorRoutes(deps: ConfigDeps): BoundRoute[] {
  return [
    bind(setoresRoute, async ({ sessao }) => ({ setores: await listSetores(deps, sessao.contaId) })),
    bind(criarSetorRoute, async ({ sessao, body }) => ({ setor: await createSetor(deps, sessao, body) })),
    bind(atualizarSetorRoute, async ({ sessao, params, body }) => ({
      setor: await updateSetor(deps, sessao, { id: params.id, mudado: body }),
    })),
    bind(removerSetorRoute, async ({ sessao, params }) => ({
      sucesso: true as const,
      setores: await removeSetor(deps, sessao, params.id),
    })),
  ]
}

export function atendimentoRoutes(
  deps: ConfigDeps & FichaDeps & SendDeps & ArquivosDeps & Pick<Deps, 'reservedDb' | 'applyEventIn' | 'lookForDueIn'>,
): BoundRoute[] {
  // Ends write to the customer and lock the daily counter. Other acts do not wait behind that lock.
  const runEnd = createActBatcher(deps)
  const runOther = createActBatcher(deps)
  const end = (sessao: LoginSession, id: string, how: End): Promise<Conversa> => {
    const ref = refOf(sessao, id)
    return runEnd(ref, (tx) => endConversa(tx, deps, ref, how))
  }
  const act = (sessao: LoginSession, id: string, apply: Act['apply']): Promise<Conversa> =>
    runOther(refOf(sessao, id), apply)
  return [
    ...readRoutes(deps),
    ...mensagemRoutes(deps),
    bind(loteRoute, ({ sessao, body }) => runMany(deps, { runEnd, runOther }, sessao, body)),
    bind(assumirConversaRoute, async ({ sessao, params, body }) => ({
      conversa: await act(sessao, params.id, (tx) =>
        body.deColega === true
          ? takeFromColleague(tx, deps, sessao, params.id)
          : takeConversa(tx, deps, refOf(sessao, params.id), sessao),
      ),
    })),
    bind(finalizarConversaRoute, async ({ sessao, params, body }) => ({
      conversa: await end(sessao, params.id, { tipo: 'finalizar', por: sessao.usuarioId, ...body }),
    })),
    bind(desfazerConversaRoute, async ({ sessao, params }) => ({
      conversa: await act(sessao, params.id, (tx) => undoAct(tx, deps, sessao, params.id)),
    })),
    bind(digitandoRoute, async ({ sessao, params }) => {
      await signalTyping(deps, sessao, params.id)
      return { sucesso: true as const }
    }),
    bind(testeConversaRoute, async ({ sessao, body }) => ({
      conversa: await createTestConversa(deps, sessao, body.setor),
    })),
    bind(transferirConversaRoute, async ({ sessao, params, body }) => ({
      conversa: await act(sessao, params.id, (tx) => transferConversa(tx, deps, sessao, params.id, body)),
    })),
    bind(iniciarConversaRoute, ({ sessao, body }) => startConversa(deps, sessao, body)),
    bind(reabrirConversaRoute, async ({ sessao, params }) => ({
      conversa: await reopenConversa(deps, sessao, params.id),
    })),
    bind(soltarConversaRoute, async ({ sessao, params }) => ({
      conversa: await act(sessao, params.id, (tx) => releaseConversa(tx, deps, sessao, params.id)),
    })),
    bind(devolverConversaRoute, async ({ sessao, params }) => ({
      conversa: await end(sessao, params.id, { tipo: 'devolver', por: sessao.usuarioId }),
    })),
    ...setorRoutes(deps),
  ]
}
