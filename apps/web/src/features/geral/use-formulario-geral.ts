import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { useEffect, useState } from 'react'
import { useForm, useFormState, type UseFormReturn } from 'react-hook-form'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { useSalvarConfig, type ConfigLida } from '#shared/dados/config.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { lerFormulario, montarConfig, type FormularioGeral } from './formulario.ts'

export interface FormularioDaConfig {
  readonly form: UseFormReturn<FormularioGeral>
  readonly alterado: boolean
  readonly salvando: boolean
  /** Another window saved first: this form's copy is old, and saving it is refused until it is reloaded. */
  readonly conflito: boolean
  /** The key as stored, masked. */
  readonly chaveGuardada: string
  readonly salvar: () => Promise<void>
  readonly descartar: () => void
  /** Fetches what is stored and puts it in the form, whatever was there. */
  readonly recarregar: () => Promise<void>
}

const CAMPO_DO_CAMINHO: Readonly<Record<string, keyof FormularioGeral>> = {
  'whatsapp.clientId': 'clientId',
  'whatsapp.chromePath': 'chromePath',
  'whatsapp.conector': 'conector',
  'gemini.apiKey': 'apiKey',
}

function mostrarDetalhes(form: UseFormReturn<FormularioGeral>, erro: unknown): void {
  if (!(erro instanceof ApiError)) return
  for (const { caminho, mensagem } of erro.dados.detalhes ?? []) {
    const campo = CAMPO_DO_CAMINHO[caminho]
    if (campo !== undefined) form.setError(campo, { message: mensagem })
  }
}

/** The form over the configuration: follows the server while untouched, keeps the person's edits once touched. */
export function useFormularioGeral(lida: ConfigLida): FormularioDaConfig {
  const [base, setBase] = useState(lida.config)
  const [conflito, setConflito] = useState(false)
  const form = useForm<FormularioGeral>({ defaultValues: lerFormulario(base) })
  const { isDirty } = useFormState({ control: form.control })
  const { mutateAsync, isPending } = useSalvarConfig()
  const { reset } = form

  function adotar(config: ConfigVersionada): void {
    setBase(config)
    reset(lerFormulario(config))
    setConflito(false)
  }

  // Untouched, the form follows what is stored; touched, it keeps the copy it was filled from.
  if (!isDirty && lida.config !== base) setBase(lida.config)
  useEffect(() => reset(lerFormulario(base)), [base, reset])

  async function enviar(dados: FormularioGeral): Promise<void> {
    try {
      adotar(await mutateAsync(montarConfig(base, dados)))
      avisar.sucesso('Configurações salvas com sucesso!')
    } catch (erro) {
      avisar.erro(`Erro ao salvar configurações: ${mensagemDe(erro)}`)
      mostrarDetalhes(form, erro)
      setConflito(erro instanceof ApiError && erro.codigo === 'versaoDesatualizada')
      // What is stored is read again (spec §8); the edits stay on screen, and a stale base stays stale.
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

  return {
    form,
    alterado: isDirty,
    salvando: isPending,
    conflito,
    chaveGuardada: base.gemini.apiKey,
    salvar: form.handleSubmit(enviar, (erros) => {
      const primeira = erros.clientId?.message ?? erros.apiKey?.message
      if (primeira !== undefined) avisar.erro(primeira)
    }),
    descartar: () => reset(lerFormulario(base)),
    recarregar,
  }
}
