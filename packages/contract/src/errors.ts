import * as z from 'zod/mini'
import { metodoConfirmacaoSchema } from '#entities/segundo-fator.ts'
import type { MotivoBot } from '#entities/bot-status.ts'

/** All refusals of the API: code, HTTP status and the Portuguese message for the user. */
export const ERROS = {
  dadosInvalidos: { status: 400, erro: 'Dados inválidos' },
  tokenInvalido: { status: 400, erro: 'Este link é inválido ou já expirou. Peça um novo.' },
  clientIdObrigatorio: { status: 400, erro: 'Configure o Client ID antes de iniciar o bot' },
  navegadorNaoPermitido: { status: 400, erro: 'O navegador indicado não existe ou não é permitido neste servidor.' },
  setorDesconhecido: { status: 400, erro: 'Este setor não existe.' },
  operadorForaDoSetor: { status: 400, erro: 'Esta pessoa está inativa ou não atende este setor ou esta linha.' },
  imagemInvalida: { status: 400, erro: 'Apenas arquivos de imagem são permitidos' },
  arquivoInvalido: {
    status: 400,
    erro: 'Este tipo de arquivo não é aceito. Envie uma imagem (PNG, JPG ou WEBP), um áudio, um PDF, um documento do Word ou do Excel, ou um texto.',
  },
  iaSemChave: { status: 400, erro: 'Configure uma API Key válida primeiro' },

  semSessao: { status: 401, erro: 'Sua sessão terminou. Entre novamente.' },
  credenciaisInvalidas: { status: 401, erro: 'E-mail ou senha incorretos' },

  contaPendente: { status: 403, erro: 'Sua conta aguarda aprovação do administrador.' },
  contaInativa: { status: 403, erro: 'Sua conta está inativa.' },
  cadastroFechado: { status: 403, erro: 'O cadastro de novas contas está fechado.' },
  limiteUsuariosPlano: { status: 403, erro: 'O limite de usuários deste plano foi atingido.' },
  semPermissao: { status: 403, erro: 'Você não tem permissão para acessar este componente.' },
  limiteLinhas: { status: 403, erro: 'Sua conta já tem todas as linhas que pode ter.' },
  limitePlano: { status: 403, erro: 'Seu plano não permite esta alteração.' },
  senhaAtualIncorreta: { status: 403, erro: 'A senha atual está incorreta.' },
  senhaManutencao: { status: 403, erro: 'A senha está incorreta.' },
  codigoIncorreto: {
    status: 403,
    erro: 'O código está incorreto. Confira a hora do celular e digite o código atual.',
  },
  desafioVencido: { status: 403, erro: 'O tempo ou as tentativas acabaram. Entre de novo.' },
  segundoFatorObrigatorio: {
    status: 403,
    erro: 'Sua conta exige a verificação em duas etapas. Ative-a para continuar.',
  },
  confirmacaoNecessaria: { status: 403, erro: 'Confirme que é você para continuar.' },

  identidadeInvalida: { status: 403, erro: 'O site não confirmou quem você é.' },
  origemNaoPermitida: { status: 403, erro: 'O chat não está liberado para este site.' },

  naoEncontrado: { status: 404, erro: 'Não encontrado' },
  arquivoEmOutroNo: { status: 404, erro: 'Este arquivo está em outro nó.' },
  conviteNaoEncontrado: { status: 404, erro: 'Não encontramos este convite. Veja se o link veio inteiro.' },
  rotaDesconhecida: { status: 404, erro: 'Este endereço não existe.' },

  conflito: { status: 409, erro: 'Outra pessoa alterou estes dados. Recarregue e tente novamente.' },
  versaoDesatualizada: {
    status: 409,
    erro: 'A configuração foi alterada em outra janela. Recarregue antes de salvar.',
  },
  iaSemOrcamento: { status: 409, erro: 'O orçamento da IA deste mês acabou. Aumente-o na aba IA.' },
  emailJaCadastrado: { status: 409, erro: 'Este e-mail já está cadastrado' },
  contatoExiste: { status: 409, erro: 'Já existe um contato com este telefone.' },
  contatoApagado: {
    status: 409,
    erro: 'Este cliente teve os dados apagados a pedido dele. Crie o contato só se ele voltou a procurar a loja.',
  },
  linhaExiste: { status: 409, erro: 'Já existe uma linha com este nome.' },
  linhaPrincipal: {
    status: 409,
    erro: 'A linha principal não pode ser excluída nem desativada. Torne outra linha a principal antes.',
  },
  linhaEmUso: { status: 409, erro: 'Esta linha tem conversas abertas. Encerre-as ou exclua a linha com elas.' },
  linhaNaoEscreve: { status: 409, erro: 'Por esta linha é o cliente quem escreve primeiro.' },
  botRodando: { status: 409, erro: 'Pare a conexão desta linha antes de trocar o conector.' },
  atualizacaoEmAndamento: {
    status: 409,
    erro: 'O sistema está sendo atualizado. Crie a linha daqui a alguns minutos.',
  },
  etiquetaExiste: { status: 409, erro: 'Já existe uma etiqueta com este nome.' },
  semSegundoFator: { status: 409, erro: 'A verificação em duas etapas não está ligada.' },
  limiteDeItens: { status: 409, erro: 'Você já fixou 10 conversas. Solte uma para fixar outra.' },
  desfazerVencido: { status: 409, erro: 'Não dá mais para desfazer: a conversa mudou ou passaram 2 minutos.' },
  conectorNaoPermite: { status: 409, erro: 'A conexão desta loja não permite isso.' },
  prazoDaMensagem: {
    status: 409,
    erro: 'Passou o tempo: dá para editar uma mensagem por 15 minutos e apagar por 48 horas.',
  },
  semConvite: { status: 409, erro: 'Esta pessoa já criou a senha e não precisa de outro convite.' },
  ultimoAdmin: { status: 409, erro: 'O último administrador ativo não pode ser desativado nem excluído.' },
  prazoDeRestauracao: { status: 409, erro: 'O prazo para restaurar esta conta terminou.' },
  semCopiaRestaurada: { status: 409, erro: 'Nenhuma cópia restaurada espera uma decisão.' },
  copiaSemPasta: { status: 409, erro: 'Este servidor não tem uma pasta de cópias. Defina COPIA_DIR e reinicie.' },
  copiaEmAndamento: { status: 409, erro: 'Uma cópia já está sendo feita. Espere ela terminar.' },
  naoExcluido: { status: 409, erro: 'Este usuário não está excluído.' },
  conversaFinalizada: { status: 409, erro: 'Esta conversa já foi finalizada.' },
  conversaAssumida: { status: 409, erro: 'Esta conversa já foi assumida por outro operador.' },
  conversaAberta: { status: 409, erro: 'Este contato já tem uma conversa aberta.' },
  reabrirVencida: {
    status: 409,
    erro: 'Esta conversa terminou há mais de 7 dias. Inicie uma nova conversa com o contato.',
  },
  janelaFechada: {
    status: 409,
    erro: 'O cliente não escreve há mais de 24 horas. Envie um modelo de mensagem, em Detalhes.',
  },
  modeloDesconhecido: { status: 409, erro: 'Este modelo de mensagem não está mais aprovado. Escolha outro.' },
  mensagemNaoFalhou: { status: 409, erro: 'Esta mensagem não precisa ser reenviada.' },
  mensagemForaDeAlcance: {
    status: 409,
    erro: 'Esta mensagem não pode ser citada nem receber reação: ela ainda não chegou, foi apagada ou veio por outro serviço.',
  },
  passoInvalido: { status: 409, erro: 'O pedido não pode ir para esta etapa.' },
  semChavePix: { status: 409, erro: 'A loja ainda não tem uma chave PIX. Cadastre a chave antes de cobrar.' },
  cupomExiste: { status: 409, erro: 'Já existe um cupom com este código.' },
  foraDaEntrega: { status: 409, erro: 'A loja não entrega neste endereço.' },
  lojaFechada: { status: 409, erro: 'A loja está fechada agora. Faça o pedido quando ela abrir.' },
  enderecoEmUso: { status: 409, erro: 'Este endereço já é de outra loja. Escolha outro.' },
  carrinhoMudou: { status: 409, erro: 'Há produtos que mudaram de preço ou acabaram. Confira o pedido.' },
  limiteFontes: { status: 409, erro: 'Sua conta já tem 100 fontes. Exclua uma para criar outra.' },
  setorGeral: { status: 409, erro: 'O setor Geral não pode ser removido.' },
  provaReprovada: {
    status: 409,
    erro: 'Há perguntas obrigatórias da prova que falham ou não foram feitas com estas mudanças. Faça a prova antes de salvar.',
  },
  ensaioEmAndamento: { status: 409, erro: 'Um ensaio desta conta já está em andamento. Espere ele terminar.' },
  semQrCode: { status: 409, erro: 'Não há QR Code para escanear agora.' },
  versaoRecusada: { status: 409, erro: 'A sessão de teste não conectou com esta versão. Nada mudou.' },
  semSessaoDeTeste: {
    status: 409,
    erro: 'Nenhuma sessão do WhatsApp pode testar a versão agora. Espere uma conectar e tente de novo.',
  },
  impressoraDesligada: {
    status: 409,
    erro: 'A impressão na cozinha não está liberada neste servidor. Fale com o administrador.',
  },
  impressoraRecusada: { status: 400, erro: 'Este não é o endereço de uma impressora na rede da loja.' },
  iaDesligada: { status: 409, erro: 'A IA está desligada. O dono da conta pode ligá-la na aba IA.' },
  impressoraSemResposta: { status: 409, erro: 'A impressora não respondeu. Veja se ela está ligada e na rede.' },
  botDesconectado: { status: 409, erro: 'O bot não está conectado.' },
  conectorDiferente: { status: 409, erro: 'O simulador só funciona quando o conector escolhido é o Simulador.' },

  conviteUsado: { status: 410, erro: 'Este convite já foi usado ou trocado por um mais novo.' },
  conviteVencido: { status: 410, erro: 'O prazo deste convite terminou.' },

  corpoGrande: { status: 413, erro: 'O conteúdo enviado é grande demais.' },
  imagemGrande: { status: 413, erro: 'Imagem deve ter no máximo 5MB' },
  arquivoGrande: { status: 413, erro: 'Arquivo deve ter no máximo 5MB' },
  armazenamentoCheio: { status: 413, erro: 'Sua conta atingiu o limite de arquivos.' },
  formatoNaoSuportado: { status: 415, erro: 'Formato de conteúdo não suportado.' },

  semSugestao: {
    status: 422,
    erro: 'Nada do que a loja informou responde a esta conversa. Responda com suas palavras.',
  },

  limiteDiario: { status: 429, erro: 'Limite diário de mensagens atingido!' },
  muitasTentativas: { status: 429, erro: 'Muitas tentativas. Aguarde um pouco e tente novamente.' },

  interno: { status: 500, erro: 'Erro interno do servidor. Tente novamente.' },
  iaFalhou: { status: 502, erro: 'A IA não respondeu. Tente novamente em instantes.' },
  bancoIndisponivel: { status: 503, erro: 'O servidor está temporariamente indisponível. Tente novamente.' },
  discoCheio: { status: 503, erro: 'O disco do servidor está cheio. Avise quem cuida do servidor.' },
  servidorOcupado: { status: 503, erro: 'O servidor está ocupado. Tente novamente em instantes.' },
} as const satisfies Record<string, { status: number; erro: string }>

export type ErrorCode = keyof typeof ERROS

/** One invalid field of a body. `caminho` is dotted, such as `menu.opcoes.2.numero`. */
export const errorDetailSchema = z.object({ caminho: z.string(), mensagem: z.string() })
export type ErrorDetail = z.infer<typeof errorDetailSchema>

/** `disponivel`: how many can be sold now. Null: not counted. */
export const changedItemSchema = z.object({
  produtoId: z.string(),
  precoCentavos: z.int(),
  disponivel: z.nullable(z.int()),
})
export type ChangedItem = z.infer<typeof changedItemSchema>

export const errorDataSchema = z.object({
  detalhes: z.optional(z.array(errorDetailSchema)),
  /** `limiteDiario`, `limitePlano`: amount used; `limite` is the amount allowed. */
  usado: z.optional(z.int()),
  limite: z.optional(z.int()),
  /** `limiteDiario`: next midnight in the account's time zone, ISO 8601. */
  resetEm: z.optional(z.string()),
  /** `muitasTentativas`: seconds to wait, equal to the header Retry-After. */
  tentarEmS: z.optional(z.int()),
  /** `conversaAberta`: the open conversa of the contato. */
  conversaId: z.optional(z.string()),
  /** `conversaAssumida`, `conversaAberta`: the operator who has the conversa. */
  operadorId: z.optional(z.string()),
  operador: z.optional(z.string()),
  versao: z.optional(z.int()),
  /** `confirmacaoNecessaria`: the ways that the person has. */
  metodos: z.optional(z.array(metodoConfirmacaoSchema)),
  contatoId: z.optional(z.string()),
  /** `linhaEmUso`: open conversas that people serve or that wait for them. */
  conversas: z.optional(z.int()),
  /** `provaReprovada`: obligatory questions that fail or have no result of this draft. */
  falharam: z.optional(z.int()),
  /** `carrinhoMudou`: the items that cannot be sold as they were asked for. */
  itens: z.optional(z.array(changedItemSchema)),
})
export type ErrorData = z.infer<typeof errorDataSchema>

/** Body of every error answer. `codigo` is a `CodigoErro`, typed as text so that older clients accept new codes. */
export const errorBodySchema = z.extend(errorDataSchema, { erro: z.string(), codigo: z.string() })
export type ErrorBody = z.infer<typeof errorBodySchema>

export const TEXTO_DO_MOTIVO: Readonly<Record<MotivoBot, string>> = {
  qrExpirado: 'O QR Code expirou. Inicie o bot novamente para gerar outro.',
  desconectadoNoCelular: 'A sessão foi desconectada no celular. Inicie o bot e escaneie o QR Code novamente.',
  substituido: 'A sessão foi aberta em outro lugar.',
  banido: 'O WhatsApp bloqueou este número.',
  banidoPorUmTempo: 'O WhatsApp bloqueou este número por um tempo.',
  chaveDeAcesso: 'O WhatsApp só conecta este número com uma chave de acesso, que o sistema não tem como usar.',
  clienteDesatualizado:
    'O WhatsApp não aceita mais esta versão do sistema. Atualize o servidor e inicie o bot de novo.',
  credenciaisInvalidas:
    'O WhatsApp não reconheceu esta conexão. Use “Limpar Sessão” e escaneie o QR Code novamente; na API oficial, salve um token válido.',
  navegadorNaoEncontrado: 'O navegador não foi encontrado no caminho configurado.',
  navegadorNaoPermitido: 'O caminho do navegador não é permitido neste servidor.',
  navegadorInutilizavel: 'O programa no caminho configurado não funcionou como navegador.',
  navegadorSemProtecao: 'O servidor não deixa o navegador abrir com a proteção ligada.',
  navegadorSemMemoria: 'O servidor não tem memória para mais uma conexão pelo navegador.',
  navegadorCaiu: 'O navegador fechou sozinho. Abrindo de novo…',
  semRede: 'Sem conexão com a internet. Tentando novamente…',
  servicoInstavel: 'O WhatsApp está instável. Tentando novamente…',
  manutencao: 'O bot está pausado para manutenção.',
  copiaRestaurada: 'O sistema voltou de uma cópia de segurança. O administrador ainda não liberou os envios.',
  conectorAusente: 'O conector escolhido não está instalado neste servidor.',
  numeroEmUso: 'Este número já está conectado em outra linha.',
  semPagamentoMeta: 'A Meta recusou mensagens por falta de pagamento. O bot não responde até a situação se resolver.',
  maquinaFora: 'A máquina que guarda esta conexão está desligada.',
  erroInterno: 'Ocorreu um erro no bot. Tente iniciar novamente.',
}
