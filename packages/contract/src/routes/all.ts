import type { RouteShape } from '#define-route.ts'
import { auditoriaRoute } from './auditoria.ts'
import {
  adminAtividadeRoute,
  adminSistemaRoute,
  adminStatsRoute,
  adminConfiguracoesRoute,
  salvarAdminConfiguracoesRoute,
  adminEmailsRoute,
} from './admin.ts'
import {
  usuariosRoute,
  criarUsuarioRoute,
  alterarStatusUsuarioRoute,
  excluirUsuarioRoute,
  restaurarUsuarioRoute,
  adminUsuarioEstatisticasRoute,
  limiteMensagensRoute,
  permissoesUsuarioRoute,
  resetContadorRoute,
  planoUsuarioRoute,
} from './admin-usuarios.ts'
import {
  conversasHumanasRoute,
  conversaHumanaRoute,
  mensagensDaConversaRoute,
  fichaDoClienteRoute,
  digitandoRoute,
  enviarMensagemRoute,
  reenviarMensagemRoute,
  assumirConversaRoute,
  finalizarConversaRoute,
  transferirConversaRoute,
  devolverConversaRoute,
  estatisticasAtendimentoRoute,
  testeConversaRoute,
  avaliacoesRoute,
  testeAvaliacaoRoute,
} from './atendimento.ts'
import { reagirRoute } from './atendimento-marcas.ts'
import { relatorioRoute, respostasRapidasRoute, salvarRespostasRapidasRoute } from './atendimento-equipe.ts'
import { setoresRoute, criarSetorRoute, atualizarSetorRoute, removerSetorRoute } from './atendimento-setores.ts'
import {
  loginRoute,
  registrarRoute,
  conviteRoute,
  opcoesRegistroRoute,
  logoutRoute,
  euRoute,
  esqueciSenhaRoute,
  redefinirSenhaRoute,
  trocarSenhaRoute,
} from './auth.ts'
import { iniciarBotRoute, pararBotRoute, botStatusRoute, limparSessaoRoute } from './bot.ts'
import { codigoBotRoute } from './bot-codigo.ts'
import {
  configRoute,
  salvarConfigRoute,
  salvarSetoresRoute,
  versoesConfigRoute,
  restaurarConfigRoute,
  salvarConfigBotRoute,
} from './config.ts'
import {
  validarGeminiRoute,
  testarGeminiRoute,
  modelosGeminiRoute,
  usoGeminiRoute,
  respostaGeminiRoute,
} from './gemini.ts'
import {
  privacidadeRoute,
  salvarPrivacidadeRoute,
  titularRoute,
  exportarTitularRoute,
  apagarTitularRoute,
  registroOperacoesRoute,
} from './lgpd.ts'
import { enviarMidiaRoute } from './midias.ts'
import { enviarModeloRoute, modelosOficiaisRoute } from './modelos-oficiais.ts'
import { oficialRoute, salvarOficialRoute } from './oficial.ts'
import {
  operadoresRoute,
  criarOperadorRoute,
  atualizarOperadorRoute,
  excluirOperadorRoute,
  reenviarConviteRoute,
} from './operadores.ts'
import {
  produtosRoute,
  criarProdutoRoute,
  ordenarProdutosRoute,
  atualizarProdutoRoute,
  excluirProdutoRoute,
  menuProdutosRoute,
  detalhesProdutoRoute,
} from './produtos.ts'
import { conversasRoute, limparConversasRoute, mensagensRoute, logsRoute, healthRoute } from './registros.ts'
import {
  escanearRoute,
  enviarSimuladaRoute,
  mensagensSimuladasRoute,
  desconectarSimuladorRoute,
  falhasSimuladorRoute,
} from './simulador.ts'
import { sistemaStatusRoute, manutencaoRoute } from './sistema.ts'
import { uploadRoute } from './upload.ts'
import { usuarioEstatisticasRoute } from './usuario.ts'

/** Every row, by its unique name: the operation id of the OpenAPI document. */
export const rotas = {
  login: loginRoute,
  registrar: registrarRoute,
  opcoesRegistro: opcoesRegistroRoute,
  logout: logoutRoute,
  eu: euRoute,
  esqueciSenha: esqueciSenhaRoute,
  convite: conviteRoute,
  redefinirSenha: redefinirSenhaRoute,
  trocarSenha: trocarSenhaRoute,
  usuarioEstatisticas: usuarioEstatisticasRoute,
  config: configRoute,
  salvarConfig: salvarConfigRoute,
  salvarSetores: salvarSetoresRoute,
  versoesConfig: versoesConfigRoute,
  restaurarConfig: restaurarConfigRoute,
  salvarConfigBot: salvarConfigBotRoute,
  iniciarBot: iniciarBotRoute,
  pararBot: pararBotRoute,
  botStatus: botStatusRoute,
  codigoBot: codigoBotRoute,
  limparSessao: limparSessaoRoute,
  oficial: oficialRoute,
  salvarOficial: salvarOficialRoute,
  modelosOficiais: modelosOficiaisRoute,
  enviarModelo: enviarModeloRoute,
  conversas: conversasRoute,
  limparConversas: limparConversasRoute,
  mensagens: mensagensRoute,
  logs: logsRoute,
  health: healthRoute,
  validarGemini: validarGeminiRoute,
  testarGemini: testarGeminiRoute,
  modelosGemini: modelosGeminiRoute,
  usoGemini: usoGeminiRoute,
  respostaGemini: respostaGeminiRoute,
  upload: uploadRoute,
  conversasHumanas: conversasHumanasRoute,
  conversaHumana: conversaHumanaRoute,
  mensagensDaConversa: mensagensDaConversaRoute,
  fichaDoCliente: fichaDoClienteRoute,
  digitando: digitandoRoute,
  enviarMidia: enviarMidiaRoute,
  relatorio: relatorioRoute,
  respostasRapidas: respostasRapidasRoute,
  salvarRespostasRapidas: salvarRespostasRapidasRoute,
  enviarMensagem: enviarMensagemRoute,
  reenviarMensagem: reenviarMensagemRoute,
  reagir: reagirRoute,
  assumirConversa: assumirConversaRoute,
  finalizarConversa: finalizarConversaRoute,
  transferirConversa: transferirConversaRoute,
  devolverConversa: devolverConversaRoute,
  estatisticasAtendimento: estatisticasAtendimentoRoute,
  testeConversa: testeConversaRoute,
  avaliacoes: avaliacoesRoute,
  testeAvaliacao: testeAvaliacaoRoute,
  setores: setoresRoute,
  criarSetor: criarSetorRoute,
  atualizarSetor: atualizarSetorRoute,
  removerSetor: removerSetorRoute,
  produtos: produtosRoute,
  criarProduto: criarProdutoRoute,
  ordenarProdutos: ordenarProdutosRoute,
  atualizarProduto: atualizarProdutoRoute,
  excluirProduto: excluirProdutoRoute,
  menuProdutos: menuProdutosRoute,
  detalhesProduto: detalhesProdutoRoute,
  adminStats: adminStatsRoute,
  adminAtividade: adminAtividadeRoute,
  adminSistema: adminSistemaRoute,
  adminConfiguracoes: adminConfiguracoesRoute,
  salvarAdminConfiguracoes: salvarAdminConfiguracoesRoute,
  adminEmails: adminEmailsRoute,
  auditoria: auditoriaRoute,
  usuarios: usuariosRoute,
  criarUsuario: criarUsuarioRoute,
  alterarStatusUsuario: alterarStatusUsuarioRoute,
  excluirUsuario: excluirUsuarioRoute,
  restaurarUsuario: restaurarUsuarioRoute,
  adminUsuarioEstatisticas: adminUsuarioEstatisticasRoute,
  limiteMensagens: limiteMensagensRoute,
  permissoesUsuario: permissoesUsuarioRoute,
  resetContador: resetContadorRoute,
  planoUsuario: planoUsuarioRoute,
  sistemaStatus: sistemaStatusRoute,
  manutencao: manutencaoRoute,
  operadores: operadoresRoute,
  criarOperador: criarOperadorRoute,
  atualizarOperador: atualizarOperadorRoute,
  excluirOperador: excluirOperadorRoute,
  reenviarConvite: reenviarConviteRoute,
  escanear: escanearRoute,
  enviarSimulada: enviarSimuladaRoute,
  mensagensSimuladas: mensagensSimuladasRoute,
  desconectarSimulador: desconectarSimuladorRoute,
  falhasSimulador: falhasSimuladorRoute,
  privacidade: privacidadeRoute,
  salvarPrivacidade: salvarPrivacidadeRoute,
  titular: titularRoute,
  exportarTitular: exportarTitularRoute,
  apagarTitular: apagarTitularRoute,
  registroOperacoes: registroOperacoesRoute,
} as const satisfies Record<string, RouteShape>

export type NomeRota = keyof typeof rotas

/** The same rows as a list, for whoever walks over them. */
export const todasAsRotas: readonly RouteShape[] = Object.values(rotas)
