import { NOME_DO_PLANO, type Plano } from '@balcao/contract/constants'

export interface MailText {
  readonly assunto: string
  readonly texto: string
}

const SIGNATURE = '\n\nUm abraço,\nEquipe Balcão\n'

function letter(name: string, ...paragrafos: string[]): string {
  return `${[`Olá, ${name}!`, ...paragrafos].join('\n\n')}${SIGNATURE}`
}

export function signUpMail(data: {
  readonly admin: string
  readonly nome: string
  readonly email: string
  readonly empresa: string
  readonly planoDesejado: Plano | undefined
  readonly urlPublica: string
}): MailText {
  const empresa = data.empresa === '' ? '' : `, da empresa ${data.empresa}`
  const plano = data.planoDesejado === undefined ? [] : [`Plano pedido: ${NOME_DO_PLANO[data.planoDesejado]}.`]
  return {
    assunto: `Novo cadastro aguardando aprovação: ${data.nome}`,
    texto: letter(
      data.admin,
      `${data.nome} (${data.email})${empresa} acabou de criar uma conta e aguarda a sua aprovação.`,
      ...plano,
      `Para ativar a conta, acesse ${data.urlPublica}/admin`,
    ),
  }
}

export function contaActivatedMail(data: { readonly nome: string; readonly urlPublica: string }): MailText {
  return {
    assunto: 'Sua conta no Balcão está ativa',
    texto: letter(
      data.nome,
      'Boas notícias: sua conta foi ativada e já está pronta para uso.',
      `Entre em ${data.urlPublica}/login com o e-mail e a senha do seu cadastro.`,
    ),
  }
}

export function resetPasswordMail(data: { readonly nome: string; readonly link: string }): MailText {
  return {
    assunto: 'Redefinição de senha',
    texto: letter(
      data.nome,
      'Recebemos um pedido para redefinir a sua senha. Para escolher uma nova, acesse:',
      data.link,
      'O link funciona uma única vez e vale por uma hora.',
      'Se não foi você quem pediu, ignore este e-mail: sua senha continua a mesma.',
    ),
  }
}

export function conviteMail(data: {
  readonly nome: string
  readonly email: string
  readonly dono: string
  readonly empresa: string
  readonly link: string
}): MailText {
  const team = data.empresa === '' ? 'à equipe de atendimento' : `à equipe de atendimento da empresa ${data.empresa}`
  return {
    assunto: `${data.dono} convidou você para atender no Balcão`,
    texto: letter(
      data.nome,
      `${data.dono} quer você junto ${team}. No Balcão vocês conversam com os clientes do WhatsApp em um só painel.`,
      `Para começar, crie a sua senha:\n\n${data.link}`,
      `O link funciona uma única vez e vale por 7 dias. Depois é só entrar com o e-mail ${data.email} e a senha que você escolher.`,
      'Não esperava este convite? Pode ignorar este e-mail: nada acontece.',
    ),
  }
}

export function dailyLimitMail(data: {
  readonly nome: string
  readonly percentual: 80 | 100
  readonly limite: number
}): MailText {
  const limite = data.limite.toLocaleString('pt-BR')
  if (data.percentual === 100) {
    return {
      assunto: 'O limite diário de mensagens foi atingido',
      texto: letter(
        data.nome,
        `Seu bot enviou as ${limite} mensagens do limite de hoje e parou de responder.`,
        'As mensagens dos clientes continuam chegando e aparecem no painel. À meia-noite o bot volta a responder.',
        'Se precisar de um limite maior, fale com o administrador.',
      ),
    }
  }
  return {
    assunto: 'Você já usou 80% do limite diário de mensagens',
    texto: letter(
      data.nome,
      `Seu bot já usou 80% do limite de hoje, que é de ${limite} mensagens.`,
      'Quando o limite for atingido, o bot para de responder até a meia-noite. As mensagens dos clientes não se perdem.',
    ),
  }
}

/** `valor` is formatted in reais. */
export function budgetUsedMail(data: { readonly nome: string; readonly valor: string }): MailText {
  return {
    assunto: 'O orçamento da IA deste mês acabou',
    texto: letter(
      data.nome,
      `A IA gastou os ${data.valor} do orçamento deste mês e está desligada até o fim dele.`,
      'O menu continua respondendo, e quem pede uma pessoa é atendido como sempre.',
      'Para a IA voltar antes, aumente o orçamento na aba IA.',
    ),
  }
}

/** `desde` is local time, formatted. `conexao` may be empty. */
export function botDisconnectedMail(data: {
  readonly nome: string
  readonly conexao: string
  readonly desde: string
  readonly urlPublica: string
}): MailText {
  return {
    assunto: data.conexao === '' ? 'Seu bot está sem conexão' : `A conexão ${data.conexao} caiu`,
    texto: letter(
      data.nome,
      `${data.conexao === '' ? 'Seu bot perdeu a conexão' : `A conexão ${data.conexao} caiu`} às ${data.desde} e ainda não conseguiu voltar. Enquanto isso, o bot não responde aos clientes.`,
      `Confira se o celular está ligado e com internet, e veja o estado do bot em ${data.urlPublica}/dashboard`,
    ),
  }
}

export function securityMail(data: {
  readonly nome: string
  readonly assunto: string
  readonly acontecimento: string
  readonly urlPublica: string
}): MailText {
  return {
    assunto: data.assunto,
    texto: letter(
      data.nome,
      data.acontecimento,
      `Foi você? Então está tudo certo. Não foi? Entre em ${data.urlPublica}/login, troque a sua senha e encerre as outras sessões em Minha conta › Segurança.`,
    ),
  }
}
