export interface TextoEmail {
  readonly assunto: string
  readonly texto: string
}

const ASSINATURA = '\n\nUm abraço,\nEquipe Balcão\n'

function carta(nome: string, ...paragrafos: string[]): string {
  return `${[`Olá, ${nome}!`, ...paragrafos].join('\n\n')}${ASSINATURA}`
}

export function textoNovoCadastro(dados: {
  readonly admin: string
  readonly nome: string
  readonly email: string
  readonly empresa: string
  readonly urlPublica: string
}): TextoEmail {
  const empresa = dados.empresa === '' ? '' : `, da empresa ${dados.empresa}`
  return {
    assunto: `Novo cadastro aguardando aprovação: ${dados.nome}`,
    texto: carta(
      dados.admin,
      `${dados.nome} (${dados.email})${empresa} acabou de criar uma conta e aguarda a sua aprovação.`,
      `Para ativar a conta, acesse ${dados.urlPublica}/admin`,
    ),
  }
}

export function textoContaAtivada(dados: { readonly nome: string; readonly urlPublica: string }): TextoEmail {
  return {
    assunto: 'Sua conta no Balcão está ativa',
    texto: carta(
      dados.nome,
      'Boas notícias: sua conta foi ativada e já está pronta para uso.',
      `Entre em ${dados.urlPublica}/login com o e-mail e a senha do seu cadastro.`,
    ),
  }
}

export function textoRedefinirSenha(dados: { readonly nome: string; readonly link: string }): TextoEmail {
  return {
    assunto: 'Redefinição de senha',
    texto: carta(
      dados.nome,
      'Recebemos um pedido para redefinir a sua senha. Para escolher uma nova, acesse:',
      dados.link,
      'O link funciona uma única vez e vale por uma hora.',
      'Se não foi você quem pediu, ignore este e-mail: sua senha continua a mesma.',
    ),
  }
}

export function textoConvite(dados: {
  readonly nome: string
  readonly email: string
  readonly dono: string
  readonly empresa: string
  readonly link: string
}): TextoEmail {
  const equipe =
    dados.empresa === '' ? 'à equipe de atendimento' : `à equipe de atendimento da empresa ${dados.empresa}`
  return {
    assunto: `${dados.dono} convidou você para atender no Balcão`,
    texto: carta(
      dados.nome,
      `${dados.dono} quer você junto ${equipe}. No Balcão vocês conversam com os clientes do WhatsApp em um só painel.`,
      `Para começar, crie a sua senha:\n\n${dados.link}`,
      `O link funciona uma única vez e vale por 7 dias. Depois é só entrar com o e-mail ${dados.email} e a senha que você escolher.`,
      'Não esperava este convite? Pode ignorar este e-mail: nada acontece.',
    ),
  }
}

/** `percentual` of the daily limit is reached. */
export function textoLimiteDiario(dados: {
  readonly nome: string
  readonly percentual: 80 | 100
  readonly limite: number
}): TextoEmail {
  const limite = dados.limite.toLocaleString('pt-BR')
  if (dados.percentual === 100) {
    return {
      assunto: 'O limite diário de mensagens foi atingido',
      texto: carta(
        dados.nome,
        `Seu bot enviou as ${limite} mensagens do limite de hoje e parou de responder.`,
        'As mensagens dos clientes continuam chegando e aparecem no painel. À meia-noite o bot volta a responder.',
        'Se precisar de um limite maior, fale com o administrador.',
      ),
    }
  }
  return {
    assunto: 'Você já usou 80% do limite diário de mensagens',
    texto: carta(
      dados.nome,
      `Seu bot já usou 80% do limite de hoje, que é de ${limite} mensagens.`,
      'Quando o limite for atingido, o bot para de responder até a meia-noite. As mensagens dos clientes não se perdem.',
    ),
  }
}

/** The bot is disconnected for more than five minutes. `desde` is local time, formatted. */
export function textoBotSemConexao(dados: {
  readonly nome: string
  readonly desde: string
  readonly urlPublica: string
}): TextoEmail {
  return {
    assunto: 'Seu bot está sem conexão',
    texto: carta(
      dados.nome,
      `Seu bot perdeu a conexão às ${dados.desde} e ainda não conseguiu voltar. Enquanto isso, ele não responde aos clientes.`,
      `Confira se o celular está ligado e com internet, e veja o estado do bot em ${dados.urlPublica}/dashboard`,
    ),
  }
}
