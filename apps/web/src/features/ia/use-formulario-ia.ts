import type { ConfigVersionada, IaConfig } from '@balcao/contract/entities/config'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import type { ConfigLida } from '#shared/dados/config.ts'
import { useSalvarConfig } from '#shared/dados/config-escrita.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { restam } from '#shared/dados/restam.ts'
import { type ErrosDaIa, errosDoServidor, semOsMudados } from './erros-do-servidor.ts'
import { focarCampo } from './focar.ts'
import { CHAVE_MODELOS } from './chaves.ts'

function lerIa({ ia, gemini }: ConfigVersionada): IaConfig {
  return { ...ia, apiKey: ia.apiKey === '' ? gemini.apiKey : ia.apiKey }
}

/** A stored key comes masked and goes back masked; a masked key that was typed over is neither. */
function faltaNaChave({ ativa, apiKey }: IaConfig, guardada: string): string | undefined {
  if (ativa && apiKey === '') return 'API Key é obrigatória quando a IA está ativada'
  return apiKey === guardada || !apiKey.includes('•') ? undefined : 'Apague o campo e digite a chave inteira'
}

/** What was read, and what the person changed over it. */
interface Rascunho {
  readonly base: ConfigVersionada
  readonly edicoes: Partial<IaConfig>
  /** Which Restaurar it began from: gone once it is saved or discarded. */
  readonly restauro?: object
}

export type Mudanca = Partial<IaConfig> | ((atual: IaConfig) => Partial<IaConfig>)
export type FormularioDaIa = ReturnType<typeof useFormularioIa>

/** The form over the configuration: follows the server while untouched, keeps the person's edits once touched. */
export function useFormularioIa(lida: ConfigLida) {
  const [rascunho, setRascunho] = useState<Rascunho>({ base: lida.config, edicoes: {} })
  const [erros, setErros] = useState<ErrosDaIa>({})
  const [conflito, setConflito] = useState(false)
  const { salvarConfig, salvando } = useSalvarConfig()
  const cliente = useQueryClient()

  const { base } = rascunho
  const guardada = lerIa(base)
  const ia: IaConfig = { ...guardada, ...rascunho.edicoes }
  const alterado = JSON.stringify(ia) !== JSON.stringify(guardada)
  // Untouched, the form follows what is stored; touched, it keeps the copy it was filled from.
  if (!alterado && lida.config !== base) setRascunho({ base: lida.config, edicoes: {} })

  function adotar(config: ConfigVersionada): void {
    setRascunho({ base: config, edicoes: {} })
    setErros({})
    setConflito(false)
  }

  const mudar = (mudanca: Mudanca): void => {
    const campos = typeof mudanca === 'function' ? mudanca(ia) : mudanca
    setErros((atuais) => semOsMudados(atuais, campos.ativa === false ? ['apiKey', 'ativa'] : Object.keys(campos)))
    setRascunho((atual) => {
      const antes = { ...lerIa(atual.base), ...atual.edicoes }
      const novos = typeof mudanca === 'function' ? mudanca(antes) : mudanca
      return { ...atual, edicoes: { ...atual.edicoes, ...novos } }
    })
  }

  async function salvar(): Promise<void> {
    if (salvando) return
    const apiKey = ia.apiKey.trim()
    const falta = faltaNaChave({ ...ia, apiKey }, guardada.apiKey)
    setErros(falta === undefined ? {} : { apiKey: falta })
    if (falta !== undefined) {
      avisar.erro(falta)
      return focarCampo('apiKey')
    }
    try {
      const salva = await salvarConfig({ ...base, gemini: { apiKey }, ia: { ...ia, apiKey } })
      setErros({})
      setConflito(false)
      setRascunho(({ edicoes }) => ({ base: salva, edicoes: restam(edicoes, rascunho.edicoes) }))
      avisar.sucesso('Configurações da IA salvas com sucesso!')
      // What was known of another key is forgotten at once.
      if (apiKey !== guardada.apiKey) void cliente.resetQueries({ queryKey: CHAVE_MODELOS })
    } catch (erro) {
      await recusado(erro)
    }
  }

  async function recusado(erro: unknown): Promise<void> {
    if (erro instanceof ApiError && erro.codigo === 'versaoDesatualizada') return setConflito(true)
    const achados = errosDoServidor(erro)
    setErros(achados)
    avisar.erro(`Erro ao salvar configurações: ${mensagemDe(erro)}`)
    const [primeiro] = Object.keys(achados)
    if (primeiro !== undefined) focarCampo(primeiro)
    // What is stored is read again (spec §8), where it can be; the edits stay on screen.
    await lida.recarregar().catch(() => undefined)
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
    const antes = rascunho
    setErros({})
    const restauro = {}
    setRascunho({ base, edicoes: { ...iaPadrao(), apiKey: ia.apiKey }, restauro })
    // What was saved or discarded since then is not brought back.
    const desfazer = (agora: Rascunho): Rascunho => (agora.restauro === restauro ? antes : agora)
    avisar.sucesso('Configurações da IA restauradas. Salve para valer.', {
      acao: { rotulo: 'Desfazer', fazer: () => setRascunho(desfazer) },
    })
  }

  return {
    ...{ ia, alterado, erros, conflito, mudar, salvar, aceitarServidor, restaurar },
    salvando,
    chaveGuardada: guardada.apiKey,
    /** The Restaurar that is on screen. */
    restauro: rascunho.restauro,
    descartar: () => adotar(base),
    fecharConflito: () => setConflito(false),
  }
}
