/** Sentences of the specification that screens and tests share (spec §2, §5, §8). */
export const TEXTOS = {
  loginSucesso: 'Login realizado com sucesso!',
  loginErro: 'Erro ao fazer login. Tente novamente.',
  bemVindo: (nome: string) => `Bem-vindo, ${nome}!`,
  logout: 'Logout realizado com sucesso',
  cadastroSucesso: 'Cadastro realizado com sucesso!',
  cadastroErro: 'Erro ao fazer cadastro. Tente novamente.',
  nomeObrigatorio: 'Nome é obrigatório',
  emailObrigatorio: 'Email é obrigatório',
  senhaCurta: 'Senha deve ter pelo menos 6 caracteres',
  senhasDiferentes: 'Senhas não coincidem',
  aceiteTermos: 'Você deve aceitar os termos de uso',
  timeout: 'Timeout: O servidor demorou muito para responder',
  semRede: 'Erro de rede: Verifique se o servidor está rodando',
  tempoReal: 'Erro na conexão em tempo real',
  acessoRestrito: 'Acesso Restrito',
  semPermissao: 'Você não tem permissão para acessar este componente.',
} as const
