import type { ConfigVersionada, IaConfig } from '@balcao/contract/entities/config'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import type { ConfigLida } from '#shared/dados/config.ts'
import { useSalvarConfig } from '#shared/dados/config-escrita.ts'
import { mensagemDe } from '#shared/dados/erro.ts'

function lerIa({ ia, gemini }: ConfigVersionada): IaConfig {
  return { ...ia, apiKey: ia.apiKey === '' ? gemini.apiKey : ia.apiKey }
}

/** A stored key comes masked and goes back masked; a masked key that was typed over is neither. */
function faltaNaChave({ ativa, apiKey }: IaConfig, guardada: string): string | undefined {
  if (ativa && apiKey === '') return 'API Key é obrigatória quando a IA está ativada'
  return apiKey === guardada || !apiKey.includes('•') ? undefined : 'Apague o campo e digite a chave inteira'
}

export type FormularioDaIa = ReturnType<typeof useFormularioIa>

/** The form over the configuration: follows the server while untouched, keeps the person's edits once touched. */
export function useFormularioIa(lida: ConfigLida) {
  const [base, setBase] = useState(lida.config)
  const [edicoes, setEdicoes] = useState<Partial<IaConfig>>({})
  const [erroDaChave, setErroDaChave] = useState<string>()
  const [conflito, setConflito] = useState(false)
  const { mutateAsync, isPending } = useSalvarConfig()

  const guardada = lerIa(base)
  const ia: IaConfig = { ...guardada, ...edicoes }
  const alterado = JSON.stringify(ia) !== JSON.stringify(guardada)
  // Untouched, the form follows what is stored; touched, it keeps the copy it was filled from.
  if (!alterado && lida.config !== base) setBase(lida.config)

  function descartar(): void {
    setEdicoes({})
    setErroDaChave(undefined)
    setConflito(false)
  }
  function adotar(config: ConfigVersionada): void {
    setBase(config)
    descartar()
  }

  const mudar = (campos: Partial<IaConfig>): void => {
    setEdicoes((atuais) => ({ ...atuais, ...campos }))
    if (campos.apiKey !== undefined || campos.ativa === false) setErroDaChave(undefined)
  }

  async function salvar(): Promise<void> {
    if (isPending) return
    const apiKey = ia.apiKey.trim()
    const falta = faltaNaChave({ ...ia, apiKey }, guardada.apiKey)
    setErroDaChave(falta)
    if (falta !== undefined) {
      avisar.erro(falta)
      document.getElementsByName('apiKey')[0]?.focus()
      return
    }
    try {
      adotar(await mutateAsync({ ...base, gemini: { apiKey }, ia: { ...ia, apiKey } }))
      avisar.sucesso('Configurações da IA salvas com sucesso!')
    } catch (erro) {
      if (erro instanceof ApiError && erro.codigo === 'versaoDesatualizada') setConflito(true)
      else avisar.erro(`Erro ao salvar configurações: ${mensagemDe(erro)}`)
    }
  }

  /** Another window saved first: take what it saved and begin again from it. */
  async function aceitarServidor(): Promise<void> {
    try {
      adotar(await lida.recarregar())
    } catch (erro) {
      avisar.erro(`Erro ao recarregar configurações: ${mensagemDe(erro)}`)
    }
  }

  /** The defaults, on the draft only; the key stays. */
  async function restaurar(): Promise<void> {
    const { iaPadrao } = await import('@balcao/contract/defaults')
    const antes = edicoes
    setEdicoes({ ...iaPadrao(), apiKey: ia.apiKey })
    avisar.sucesso('Configurações da IA restauradas. Salve para valer.', {
      acao: { rotulo: 'Desfazer', fazer: () => setEdicoes(antes) },
    })
  }

  return {
    ...{ ia, alterado, erroDaChave, conflito, mudar, salvar, descartar, aceitarServidor, restaurar },
    salvando: isPending,
    chaveGuardada: guardada.apiKey,
    fecharConflito: () => setConflito(false),
  }
}
