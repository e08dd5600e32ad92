import { CONNECTORS } from '@balcao/contract/connectors'
import { ACESSOS_DIAS, LOGS_DIAS, RESPOSTAS_IA_DIAS } from '@balcao/contract/constants'
import type { Config } from '@balcao/contract/entities/config'
import type { Operacao, Privacidade } from '@balcao/contract/entities/lgpd'
import { hostOfUrlBase } from '@balcao/contract/entities/provedor-ia'
import { FATOS_PROVEDOR, midiasLidas, transcribesVoice } from '@balcao/contract/presets/provedores-ia'

const HOSTING_TEXT = 'Quem hospeda esta instalação'

/** Record of processing activities (LGPD art. 37) with the retention, connector and AI settings of the conta. */
export function buildProcessingRecord(
  { retencaoDias, guardaLegal }: Privacidade,
  { whatsapp, ia, atendimento, loja }: Pick<Config, 'whatsapp' | 'ia' | 'atendimento' | 'loja'>,
): Operacao[] {
  const deadline = guardaLegal
    ? 'Sem prazo enquanto a guarda legal estiver ligada'
    : `${retencaoDias} dias depois de cada mensagem`
  const contactDeadline = guardaLegal ? deadline : `${retencaoDias} dias depois da última conversa ou alteração`
  return [
    ...alwaysDone(deadline, contactDeadline, CONNECTORS[whatsapp.conector].dataRecipient),
    ...(loja.pedidos ? [orders(contactDeadline)] : []),
    ...(atendimento.avaliacao.ativa ? [RATINGS] : []),
    ...(ia.ativa ? [aiAnswers(ia)] : []),
    ...(transcribesVoice(ia) ? [transcripts(ia, deadline)] : []),
  ]
}

function alwaysDone(deadline: string, contactDeadline: string, messagingService: string): Operacao[] {
  return [
    {
      nome: 'Atender clientes por mensagem',
      finalidade: 'Responder, continuar a conversa e resolver o pedido do cliente',
      titulares: 'Clientes que escrevem para a empresa',
      dados:
        'Nome, telefone ou nome de usuário, mensagens, mensagens agendadas, imagens, áudios, documentos, setor e protocolo',
      baseLegal: 'Execução de contrato ou de diligências pedidas pelo titular (art. 7º, V)',
      retencao: deadline,
      compartilhamento: `${messagingService}. ${HOSTING_TEXT}.`,
      seguranca: 'Separação por conta no banco de dados, acesso por senha e por setor, chaves cifradas',
    },
    {
      nome: 'Manter a lista de contatos',
      finalidade: 'Reconhecer o cliente, organizar o atendimento e continuar de onde ele parou',
      titulares: 'Clientes que escrevem para a empresa e contatos que ela anotou ou importou',
      dados: 'Nome, telefone, etiquetas, observação e notas internas de quem atende',
      baseLegal: 'Execução de contrato ou de diligências pedidas pelo titular (art. 7º, V)',
      retencao: contactDeadline,
      compartilhamento: `${HOSTING_TEXT}.`,
      seguranca: 'As mesmas das conversas. Notas nunca são enviadas ao cliente',
    },
    {
      nome: 'Registrar o que o cliente escolheu',
      finalidade: 'Provar que o aviso de privacidade foi dado e que os pedidos de silêncio são respeitados',
      titulares: 'Clientes que escrevem para a empresa',
      dados: 'Aviso mostrado, pedidos de PARAR e VOLTAR, data, hora e canal',
      baseLegal: 'Cumprimento de obrigação legal (art. 7º, II)',
      retencao: deadline,
      compartilhamento: `${HOSTING_TEXT}.`,
      seguranca: 'As mesmas das conversas',
    },
    {
      nome: 'Encontrar falhas e cuidar da segurança',
      finalidade: 'Saber o que aconteceu no bot e quem entrou no painel',
      titulares: 'Dono da conta, operadores e, de passagem, clientes',
      dados: 'Data, hora, endereço IP, usuário e o que aconteceu, sem o texto das conversas',
      baseLegal: 'Obrigação legal (Marco Civil da Internet, art. 15) e legítimo interesse (art. 7º, II e IX)',
      retencao: `Registros do bot: ${LOGS_DIAS} dias. Acessos ao painel: ${ACESSOS_DIAS} dias`,
      compartilhamento: `${HOSTING_TEXT}. Autoridades, por ordem judicial.`,
      seguranca: 'Telefones mascarados, acesso só do dono da conta',
    },
    DEVICE_NOTICES,
    {
      nome: 'Manter a conta e as pessoas que atendem',
      finalidade: 'Criar a conta, protegê-la e avisar sobre ela',
      titulares: 'Dono da conta e operadores',
      dados:
        'Nome, e-mail, telefone, setores, aparelho de cada acesso, segundo fator e a senha, da qual só fica um código',
      baseLegal: 'Execução de contrato (art. 7º, V)',
      retencao: 'Enquanto a conta existir',
      compartilhamento: `Provedor de e-mail, para os avisos. ${HOSTING_TEXT}.`,
      seguranca: 'Senha guardada como código sem volta, segundo fator cifrado, sessões que se encerram na hora',
    },
  ]
}

const DEVICE_NOTICES: Operacao = {
  nome: 'Avisar as pessoas no aparelho delas',
  finalidade: 'Avisar sobre clientes que esperam quando o painel está fechado',
  titulares: 'Dono da conta, operadores e, se quiserem mostrar o nome, clientes',
  dados: 'Endereço do navegador no serviço de avisos e o tipo do aviso, sem o texto das conversas',
  baseLegal: 'Consentimento de quem liga os avisos (art. 7º, I)',
  retencao: 'Até desligar os avisos ou sair do painel',
  compartilhamento: `Serviço de avisos do navegador, como Google, Apple ou Mozilla, que não lê o aviso. ${HOSTING_TEXT}.`,
  seguranca: 'Aviso cifrado até o aparelho, endereço e chaves cifrados',
}

const RATINGS: Operacao = {
  nome: 'Medir a qualidade do atendimento',
  finalidade: 'Saber como os clientes avaliam o atendimento',
  titulares: 'Clientes atendidos por uma pessoa',
  dados: 'Nota de 0 a 5, setor, quem atendeu e data',
  baseLegal: 'Legítimo interesse (art. 7º, IX)',
  retencao: 'Ligada ao cliente, pelo prazo das conversas. Depois, só o número, sem dizer de quem é',
  compartilhamento: `${HOSTING_TEXT}.`,
  seguranca: 'As mesmas das conversas',
}

function orders(deadline: string): Operacao {
  return {
    nome: 'Receber e entregar pedidos',
    finalidade: 'Preparar, entregar e cobrar o que o cliente pediu',
    titulares: 'Clientes que pedem pela conversa ou para quem a empresa anota um pedido',
    dados:
      'Nome, itens e observações do pedido, endereço de entrega, bairro, CEP, forma e estado do pagamento e código do PIX. Nenhum dado de cartão',
    baseLegal: 'Execução de contrato ou de diligências pedidas pelo titular (art. 7º, V)',
    retencao: `${deadline}. Depois, só itens e valores, sem dizer de quem são`,
    compartilhamento: `Quem entrega, por decisão da empresa. ${HOSTING_TEXT}.`,
    seguranca: 'As mesmas das conversas. O pagamento acontece no banco do cliente, fora deste sistema',
  }
}

function aiAnswers({ provedor, urlBase, modeloGemini, lerMidia }: Config['ia']): Operacao {
  const lidas = lerMidia ? midiasLidas(provedor, modeloGemini) : []
  const files = [
    ...(lidas.includes('imagem') ? ['Fotos que o cliente manda com a pergunta, inteiras'] : []),
    ...(lidas.includes('audio') ? ['Áudios que o cliente manda com a pergunta, inteiros'] : []),
  ]
  const texts =
    'Mensagens recentes da conversa, sem CPF, cartão, telefone nem e-mail, que são mascarados antes do envio'
  return {
    nome: 'Responder com inteligência artificial',
    finalidade:
      'Responder perguntas simples na hora, com a opção de falar com uma pessoa, e sugerir respostas a quem atende',
    titulares: 'Clientes que escrevem para a empresa',
    dados: [texts, ...files].join('. '),
    baseLegal: 'Execução de contrato (art. 7º, V); transferência internacional pelo art. 33',
    retencao: `Cópia do que foi enviado e respondido: ${RESPOSTAS_IA_DIAS} dias`,
    compartilhamento: recipientOf({ provedor, urlBase }),
    seguranca: 'Chave cifrada, envio só por conexão segura, o mínimo de mensagens',
  }
}

function transcripts(ia: Config['ia'], deadline: string): Operacao {
  return {
    nome: 'Transcrever áudios de clientes',
    finalidade: 'Ler e procurar o que o cliente disse em um áudio',
    titulares: 'Clientes que mandam áudios',
    dados: 'Áudios de até 5 minutos, inteiros, e o texto deles',
    baseLegal: 'Execução de contrato (art. 7º, V); transferência internacional pelo art. 33',
    retencao: deadline,
    compartilhamento: recipientOf(ia),
    seguranca: 'As mesmas das conversas. O áudio vai na própria pergunta e não é deixado no provedor',
  }
}

function recipientOf({ provedor, urlBase }: Pick<Config['ia'], 'provedor' | 'urlBase'>): string {
  const { nome, empresa, pais } = FATOS_PROVEDOR[provedor]
  if (provedor === 'compativel') {
    return `Quem mantém o endereço ${hostOfUrlBase(urlBase) ?? 'escolhido'}, por decisão da empresa, no país em que ele está`
  }
  const who = empresa === nome ? nome : `${empresa} ${nome}`
  return `${who}, fora do Brasil (${pais}), com a chave da própria empresa`
}
