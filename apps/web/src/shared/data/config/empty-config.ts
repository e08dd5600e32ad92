import type { VersionedConfig } from '@balcao/contract/entities/config'

const EMPTY = ''
const NO_HOURS = { seg: [], ter: [], qua: [], qui: [], sex: [], sab: [], dom: [] }

export const EMPTY_CONFIG: VersionedConfig = {
  versao: 1,
  whatsapp: { conector: 'simulador', clientId: EMPTY, chromePath: EMPTY, respostaLigacao: EMPTY },
  gemini: { apiKey: EMPTY },
  ia: {
    ativa: false,
    apiKey: EMPTY,
    promptTreinamento: EMPTY,
    modeloGemini: EMPTY,
    temperaturaResposta: 0,
    comportamentos: { sempreResponder: false, lembrarContexto: false, usarEmojis: false, serFormal: false },
    gatilhos: [],
    respostasPredefinidas: { cumprimento: EMPTY, despedida: EMPTY, naoEntendi: EMPTY, transferirHumano: EMPTY },
    esperaSegundos: 0,
  },
  menu: {
    menuPrincipal: EMPTY,
    opcoes: [],
    mensagens: {
      boasVindas: EMPTY,
      opcaoInvalida: EMPTY,
      semEntender: EMPTY,
      aguardandoAtendente: EMPTY,
      foraPeriodo: EMPTY,
      despedida: EMPTY,
    },
    expiraEmMinutos: 60,
    tentativas: 3,
    digitando: true,
  },
  atendimento: { setores: [], horario: { fuso: EMPTY, dias: NO_HOURS, excecoes: [] }, avaliacao: { ativa: true } },
}
