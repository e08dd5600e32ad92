import { CONTADOR, PROVEDORES_IA } from '@balcao/contract/constants'
import { MODELOS_IA, resolveModelo } from '@balcao/contract/presets/editor-presets'
import { FATOS_PROVEDOR, type ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import { useState } from 'react'
import { LongText } from '#shared/form/long-text.tsx'
import { MoneyField } from '#shared/form/money-field.tsx'
import { formatCentsInput, parseCents } from '#shared/form/price.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Select } from '#shared/ui/select.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useModels } from './api-key-card.tsx'
import type { IaForm } from './use-ia-form.ts'

const PROVIDER_TEXTS: Readonly<Record<ProvedorIa, { readonly rotulo: string; readonly dica: string }>> = {
  gemini: { rotulo: 'Google Gemini', dica: 'Tem plano gratuito. Pode ler fotos e áudios.' },
  openai: { rotulo: 'OpenAI (ChatGPT)', dica: 'Cobra pelo uso. Pode ler fotos.' },
  anthropic: { rotulo: 'Anthropic (Claude)', dica: 'Cobra pelo uso. Pode ler fotos.' },
  compativel: {
    rotulo: 'Outro, em endereço próprio',
    dica: 'Um servidor compatível com a OpenAI, como Ollama, em um endereço que o administrador permitiu.',
  },
}
const PROVIDER_OPTIONS = PROVEDORES_IA.map((valor) => ({ valor, rotulo: PROVIDER_TEXTS[valor].rotulo }))

export function ProviderChoice({ form: { ia, errors, change, chooseProvider } }: { form: IaForm }) {
  return (
    <>
      <Select
        label="Provedor"
        name="provedor"
        value={ia.provedor}
        options={PROVIDER_OPTIONS}
        error={errors['provedor']}
        hint={PROVIDER_TEXTS[ia.provedor].dica}
        className="min-h-11"
        onChange={chooseProvider}
      />
      {ia.provedor === 'compativel' && (
        <TextField
          label="Endereço do provedor"
          name="urlBase"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={300}
          className="min-h-11"
          placeholder="https://ollama.interno/v1"
          value={ia.urlBase}
          error={errors['urlBase']}
          hint="Peça ao administrador para permitir este endereço."
          onChange={({ currentTarget }) => change({ urlBase: currentTarget.value })}
        />
      )}
    </>
  )
}

export function ModelCard({ form }: { form: IaForm }) {
  const { provedor } = form.ia
  return provedor === 'compativel' ? <TypedModel form={form} /> : <ListedModel form={form} />
}

/** A host of the shop may list no models, so the owner types the name. */
function TypedModel({ form: { ia, errors, change } }: { form: IaForm }) {
  const { data } = useModels(ia.provedor)
  const names = data?.doProvedor === true ? data.modelos.map(({ id }) => id) : []
  return (
    <TextField
      label="Modelo"
      name="modeloGemini"
      autoComplete="off"
      spellCheck={false}
      maxLength={120}
      className="min-h-11"
      placeholder="llama3.1:8b"
      value={ia.modeloGemini}
      error={errors['modeloGemini']}
      hint={names.length === 0 ? 'O nome que o seu servidor usa.' : `Neste endereço: ${names.slice(0, 8).join(', ')}.`}
      onChange={({ currentTarget }) => change({ modeloGemini: currentTarget.value })}
    />
  )
}

function ListedModel({ form: { ia, errors, change } }: { form: IaForm }) {
  const { provedor, modeloGemini: chosen } = ia
  const { data, isError, isFetching, refetch } = useModels(provedor)
  const models = data === undefined || data.modelos.length === 0 ? knownModels(provedor) : data.modelos
  const known = models.some(({ id }) => id === chosen)
  const options = models.map(({ id, nome, recomendado }) => ({
    valor: id,
    rotulo: recomendado === true ? `${nome} (recomendado)` : nome,
  }))
  return (
    <div>
      <Select
        label="Modelo"
        name="modeloGemini"
        value={chosen}
        options={known ? options : [{ valor: chosen, rotulo: `${chosen} (fora da lista)` }, ...options]}
        error={errors['modeloGemini']}
        onChange={(modeloGemini) => change({ modeloGemini })}
        className="min-h-11"
        hint={<ModelHint provedor={provedor} chosen={chosen} known={known} />}
      />
      {isError && (
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-warn-ink">
          Não foi possível buscar a lista de modelos: estes são os conhecidos.
          <Button variant="ghost" size="sm" busy={isFetching} onClick={() => void refetch()}>
            Tentar de novo
          </Button>
        </p>
      )}
    </div>
  )
}

interface KnownModel {
  readonly id: string
  readonly nome: string
  readonly recomendado?: boolean | undefined
}

function knownModels(provedor: ProvedorIa): readonly KnownModel[] {
  if (provedor === 'gemini') return MODELOS_IA
  const { modeloPadrao: id } = FATOS_PROVEDOR[provedor]
  return [{ id, nome: id, recomendado: true }]
}

function ModelHint({ provedor, chosen, known }: { provedor: ProvedorIa; chosen: string; known: boolean }) {
  const current = provedor === 'gemini' ? resolveModelo(chosen) : chosen
  const { empresa, artigo } = FATOS_PROVEDOR[provedor]
  return (
    <>
      <code className="text-xs break-all">{chosen}</code>
      {current !== chosen && (
        <> foi aposentado pelo Google: quem responde no lugar dele é {<code className="text-xs">{current}</code>}.</>
      )}
      {current === chosen &&
        !known &&
        ` não está na lista: se ${artigo} ${empresa} não o conhecer, outro responde no lugar.`}
    </>
  )
}

export function BudgetCard({ form: { ia, errors, change } }: { form: IaForm }) {
  const stored = ia.orcamentoCentavosMes
  const shown = stored === null ? '' : formatCentsInput(stored)
  const [typed, setTyped] = useState(shown)
  return (
    <Card heading="Orçamento">
      <MoneyField
        label="Orçamento por mês"
        name="orcamentoCentavosMes"
        // Discarded edits replace the typed text.
        value={parseCents(typed) === stored ? typed : shown}
        error={errors['orcamentoCentavosMes']}
        hint="Quando a IA gastar este valor, fica desligada até o mês acabar, e você recebe um e-mail. Em branco, sem limite."
        onChange={(text) => {
          setTyped(text)
          change({ orcamentoCentavosMes: parseCents(text) })
        }}
      />
      {ia.provedor === 'compativel' && (
        <p className="mt-3 text-sm text-muted">
          O preço de um endereço próprio não é conhecido. Ele conta como grátis, e o orçamento não o limita.
        </p>
      )}
    </Card>
  )
}

/** How the AI presents itself, and whom it calls when it is not sure. */
export function TrustCard({ form: { ia, errors, change } }: { form: IaForm }) {
  return (
    <Card heading="Confiança">
      <div className="grid gap-4">
        <LongText
          name="apresentacao"
          label="Apresentação"
          value={ia.apresentacao}
          total={CONTADOR.respostaPredefinida}
          rows={2}
          error={errors['apresentacao']}
          hint="Sai antes da primeira resposta da IA em cada conversa. {empresa} vira o nome da empresa."
          onChange={(apresentacao) => change({ apresentacao })}
        />
        <Switch
          label="Chamar uma pessoa quando a IA não tem base"
          hint="Uma resposta que a loja nunca deu não sai. Ligado, a conversa vai para uma pessoa."
          on={ia.transferirSemApoio}
          onChange={(transferirSemApoio) => change({ transferirSemApoio })}
        />
      </div>
    </Card>
  )
}
