export const QUERY_KEYS = {
  config: ['config'],
  versoes: ['config', 'versoes'],
  botStatus: ['bot', 'status'],
  estatisticas: ['usuario', 'estatisticas'],
  conversas: ['atendimento', 'conversas'],
  mensagensHumanas: ['atendimento', 'mensagens'],
  atendimento: ['atendimento', 'estatisticas'],
  conversasBot: ['conversas'],
  logs: ['logs'],
  mensagensBot: ['mensagens'],
  produtos: ['produtos'],
  sistema: ['sistema', 'status'],
} as const
