import { MODELOS_IA, modeloVigente } from '@balcao/contract/modelos'
import { Button } from '#shared/ui/button.tsx'
import { Select } from '#shared/ui/select.tsx'
import type { FormularioDaIa } from './use-formulario-ia.ts'
import { useModelos } from './use-modelos.ts'

export function Modelo({ formulario: { ia, erros, mudar } }: { formulario: FormularioDaIa }) {
  const { data, isError, isFetching, refetch } = useModelos()
  const lista = data === undefined || data.modelos.length === 0 ? MODELOS_IA : data.modelos
  const escolhido = ia.modeloGemini
  const conhecido = lista.some(({ id }) => id === escolhido)
  const opcoes = lista.map(({ id, nome, recomendado }) => ({
    valor: id,
    rotulo: recomendado === true ? `${nome} (recomendado)` : nome,
  }))
  return (
    <div>
      <Select
        rotulo="Modelo"
        name="modeloGemini"
        value={escolhido}
        opcoes={conhecido ? opcoes : [{ valor: escolhido, rotulo: `${escolhido} (fora da lista)` }, ...opcoes]}
        erro={erros['modeloGemini']}
        onChange={(modeloGemini) => mudar({ modeloGemini })}
        className="min-h-11"
        dica={<Dica escolhido={escolhido} conhecido={conhecido} />}
      />
      {isError && (
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-warn-ink">
          Não foi possível buscar a lista de modelos: estes são os conhecidos.
          <Button variante="ghost" tamanho="sm" ocupado={isFetching} onClick={() => void refetch()}>
            Tentar de novo
          </Button>
        </p>
      )}
    </div>
  )
}

function Dica({ escolhido, conhecido }: { escolhido: string; conhecido: boolean }) {
  const vigente = modeloVigente(escolhido)
  return (
    <>
      <code className="text-xs break-all">{escolhido}</code>
      {vigente !== escolhido && (
        <> foi aposentado pelo Google: quem responde no lugar dele é {<code className="text-xs">{vigente}</code>}.</>
      )}
      {vigente === escolhido &&
        !conhecido &&
        ' não está na lista: se o Google não o conhecer, outro responde no lugar.'}
    </>
  )
}
