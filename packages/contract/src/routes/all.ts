import type { RouteShape } from '#define-route.ts'
import * as adminUsuarios from './admin-usuarios.ts'
import * as adminIa from './admin-ia.ts'
import * as adminWhatsapp from './admin-whatsapp.ts'
import * as admin from './admin.ts'
import * as atendimentoActs from './atendimento-acts.ts'
import * as atendimentoBusca from './atendimento-busca.ts'
import * as atendimentoAgendadas from './atendimento-agendadas.ts'
import * as atendimentoConversa from './atendimento-conversa.ts'
import * as atendimentoEquipe from './atendimento-equipe.ts'
import * as atendimentoLeituras from './atendimento-leituras.ts'
import * as atendimentoMensagens from './atendimento-mensagens.ts'
import * as atendimentoResumo from './atendimento-resumo.ts'
import * as atendimentoReactions from './atendimento-reactions.ts'
import * as atendimentoSugestao from './atendimento-sugestao.ts'
import * as atendimentoRevisoes from './atendimento-revisoes.ts'
import * as atendimentoSetores from './atendimento-setores.ts'
import * as atendimento from './atendimento.ts'
import * as auditoria from './auditoria.ts'
import * as acesso from './acesso.ts'
import * as avisos from './avisos.ts'
import * as auth from './auth.ts'
import * as busca from './busca.ts'
import * as cadastro from './cadastro.ts'
import * as botCodigo from './bot-codigo.ts'
import * as bot from './bot.ts'
import * as config from './config.ts'
import * as custos from './custos.ts'
import * as cardapio from './cardapio.ts'
import * as contatos from './contatos.ts'
import * as etiquetas from './etiquetas.ts'
import * as disponibilidade from './disponibilidade.ts'
import * as ensaio from './ensaio.ts'
import * as gemini from './gemini.ts'
import * as iaProvas from './ia-provas.ts'
import * as iaFontes from './ia-fontes.ts'
import * as iaLacunas from './ia-lacunas.ts'
import * as impressora from './impressora.ts'
import * as linhasSessao from './linhas-sessao.ts'
import * as linhas from './linhas.ts'
import * as lgpd from './lgpd.ts'
import * as lote from './lote.ts'
import * as midias from './midias.ts'
import * as modelosOficiais from './modelos-oficiais.ts'
import * as notas from './notas.ts'
import * as oficial from './oficial.ts'
import * as operadores from './operadores.ts'
import * as cupons from './cupons.ts'
import * as pedidos from './pedidos.ts'
import * as produtos from './produtos.ts'
import * as push from './push.ts'
import * as registros from './registros.ts'
import * as segundoFator from './segundo-fator.ts'
import * as sessoes from './sessoes.ts'
import * as simulador from './simulador.ts'
import * as sistema from './sistema.ts'
import * as upload from './upload.ts'
import * as usuario from './usuario.ts'
import * as visitante from './visitante.ts'
import * as webchat from './webchat.ts'

type Operations<T> = { readonly [K in keyof T as K extends `${infer Name}Route` ? Name : never]: T[K] }

/** Keeps the exports whose name ends with `Route`, under the name without that ending. */
function operationsOf<T extends object>(exported: T): Operations<T>
function operationsOf(exported: object): object {
  const rows = Object.entries(exported).filter(([name]) => name.endsWith('Route'))
  return Object.fromEntries(rows.map(([name, row]) => [name.slice(0, -'Route'.length), row]))
}

/** Every route that the server mounts, except files, webhooks and monitoring. Its key is the operation id in the OpenAPI document. */
export const apiRoutes = operationsOf({
  ...acesso,
  ...auth,
  ...busca,
  ...cadastro,
  ...segundoFator,
  ...sessoes,
  ...usuario,
  ...config,
  ...bot,
  ...botCodigo,
  ...oficial,
  ...custos,
  ...modelosOficiais,
  ...webchat,
  ...visitante,
  ...registros,
  ...gemini,
  ...iaProvas,
  ...ensaio,
  ...iaFontes,
  ...iaLacunas,
  ...upload,
  ...atendimento,
  ...atendimentoActs,
  ...atendimentoConversa,
  ...midias,
  ...atendimentoBusca,
  ...push,
  ...atendimentoAgendadas,
  ...atendimentoEquipe,
  ...atendimentoLeituras,
  ...avisos,
  ...atendimentoResumo,
  ...atendimentoReactions,
  ...atendimentoSugestao,
  ...atendimentoMensagens,
  ...lote,
  ...atendimentoRevisoes,
  ...atendimentoSetores,
  ...produtos,
  ...cupons,
  ...cardapio,
  ...pedidos,
  ...impressora,
  ...admin,
  ...auditoria,
  ...adminUsuarios,
  ...adminIa,
  ...adminWhatsapp,
  ...sistema,
  ...operadores,
  ...disponibilidade,
  ...simulador,
  ...lgpd,
  ...contatos,
  ...etiquetas,
  ...linhas,
  ...linhasSessao,
  ...notas,
})

export type ApiRouteName = keyof typeof apiRoutes

export const apiRouteList: readonly RouteShape[] = Object.values(apiRoutes)
