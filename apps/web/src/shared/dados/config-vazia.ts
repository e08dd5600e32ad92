import type { ConfigVersionada } from '@balcao/contract/entities/config'

const VAZIO = ''
const SEM_HORAS = { seg: [], ter: [], qua: [], qui: [], sex: [], sab: [], dom: [] }

export const CONFIG_VAZIA: ConfigVersionada = {
  versao: 1,
  whatsapp: { conector: 'simulador', clientId: VAZIO, chromePath: VAZIO, respostaLigacao: VAZIO },
  gemini: { apiKey: VAZIO },
  ia: {
    ativa: false,
    apiKey: VAZIO,
    promptTreinamento: VAZIO,
    modeloGemini: VAZIO,
    temperaturaResposta: 0,
    comportamentos: { sempreResponder: false, lembrarContexto: false, usarEmojis: false, serFormal: false },
    gatilhos: [],
    respostasPredefinidas: { cumprimento: VAZIO, despedida: VAZIO, naoEntendi: VAZIO, transferirHumano: VAZIO },
    esperaSegundos: 0,
  },
  menu: {
    menuPrincipal: VAZIO,
    opcoes: [],
    mensagens: {
      boasVindas: VAZIO,
      opcaoInvalida: VAZIO,
      semEntender: VAZIO,
      aguardandoAtendente: VAZIO,
      foraPeriodo: VAZIO,
      despedida: VAZIO,
    },
    expiraEmMinutos: 60,
    tentativas: 3,
    digitando: true,
  },
  atendimento: { setores: [], horario: { fuso: VAZIO, dias: SEM_HORAS, excecoes: [] }, avaliacao: { ativa: true } },
}
