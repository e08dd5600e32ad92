import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import type { ConfigLida } from '#shared/dados/config.ts'
import { useSalvarConfig } from '#shared/dados/config-escrita.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { restam } from '#shared/dados/restam.ts'
import { faltaNaChave, faltaNoClientId, lerFormulario, montarConfig, type FormularioGeral } from './formulario.ts'

export type ErrosDoFormulario = Partial<Record<keyof FormularioGeral, string>>

export interface FormularioDaConfig {
  readonly valores: FormularioGeral
  readonly erros: ErrosDoFormulario
  readonly mudar: (campos: Partial<FormularioGeral>) => void
  readonly mudou: (campo: keyof FormularioGeral) => boolean
  readonly alterado: boolean
  readonly salvando: boolean
  /** Another window saved first: saving is refused until a reload. */
  readonly conflito: boolean
  /** The stored key, masked. */
  readonly chaveGuardada: string
  readonly salvar: () => Promise<void>
  readonly descartar: () => void
  /** Loads the stored configuration and discards local edits. */
  readonly recarregar: () => Promise<void>
}

const CAMPO_DO_CAMINHO: Readonly<Record<string, keyof FormularioGeral>> = {
  'whatsapp.clientId': 'clientId',
  'whatsapp.chromePath': 'chromePath',
  'whatsapp.conector': 'conector',
  'whatsapp.respostaLigacao': 'respostaLigacao',
  'gemini.apiKey': 'apiKey',
}

const CAMPOS = Object.values(CAMPO_DO_CAMINHO)

function errosDoServidor(erro: unknown): ErrosDoFormulario {
  if (!(erro instanceof ApiError)) return {}
  const erros: ErrosDoFormulario = {}
  for (const { caminho, mensagem } of erro.dados.detalhes ?? []) {
    const campo = CAMPO_DO_CAMINHO[caminho]
    if (campo !== undefined) erros[campo] = mensagem
  }
  return erros
}

function conferir(valores: FormularioGeral, chaveGuardada: string): ErrosDoFormulario {
  const clientId = faltaNoClientId(valores.clientId)
  const apiKey = faltaNaChave(valores.apiKey, chaveGuardada)
  return { ...(clientId === undefined ? {} : { clientId }), ...(apiKey === undefined ? {} : { apiKey }) }
}

/** Form state over the configuration: the server's values plus local edits. */
export function useFormularioGeral(lida: ConfigLida): FormularioDaConfig {
  const [base, setBase] = useState(lida.config)
  const [edicoes, setEdicoes] = useState<Partial<FormularioGeral>>({})
  const [erros, setErros] = useState<ErrosDoFormulario>({})
  const [conflito, setConflito] = useState(false)
  const { salvarConfig, salvando } = useSalvarConfig()

  const guardado = lerFormulario(base)
  const valores: FormularioGeral = { ...guardado, ...edicoes }
  const mudou = (campo: keyof FormularioGeral): boolean => valores[campo] !== guardado[campo]
  const alterado = CAMPOS.some(mudou)
  // Without edits the form follows the server. With edits it keeps its base for conflict detection.
  if (!alterado && lida.config !== base) setBase(lida.config)

  function adotar(config: ConfigVersionada): void {
    setBase(config)
    descartar()
  }
  function descartar(): void {
    setEdicoes({})
    setErros({})
    setConflito(false)
  }

  async function salvar(): Promise<void> {
    const faltas = conferir(valores, base.gemini.apiKey)
    setErros(faltas)
    const primeira = faltas.clientId ?? faltas.apiKey
    if (primeira !== undefined) {
      avisar.erro(primeira)
      document.getElementsByName(faltas.clientId === undefined ? 'apiKey' : 'clientId')[0]?.focus()
      return
    }
    try {
      setBase(await salvarConfig(montarConfig(base, valores)))
      setEdicoes((agora) => restam(agora, edicoes))
      setConflito(false)
      avisar.sucesso('Configurações salvas com sucesso!')
    } catch (erro) {
      avisar.erro(`Erro ao salvar configurações: ${mensagemDe(erro)}`)
      setErros(errosDoServidor(erro))
      setConflito(erro instanceof ApiError && erro.codigo === 'versaoDesatualizada')
      // Refetches the stored configuration. The edits and their base stay, so a conflict stays a conflict.
      await lida.recarregar().catch(() => undefined)
    }
  }

  async function recarregar(): Promise<void> {
    try {
      adotar(await lida.recarregar())
      avisar.sucesso('Configurações recarregadas!')
    } catch (erro) {
      avisar.erro(`Erro ao recarregar configurações: ${mensagemDe(erro)}`)
    }
  }

  const mudar = (campos: Partial<FormularioGeral>): void => setEdicoes((atuais) => ({ ...atuais, ...campos }))
  return {
    ...{ valores, erros, mudar, mudou, alterado, conflito, salvar, descartar, recarregar },
    salvando,
    chaveGuardada: base.gemini.apiKey,
  }
}
