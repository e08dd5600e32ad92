import { rootOf } from './roots.ts'

/** Words that customers and shops use for the same subject, folded. */
const SUBJECTS = [
  'abrir aberto abertura horario horas funcionamento funcionar expediente atendimento',
  'fechar fechado fechamento encerrar encerramento horario',
  'horas horario quando',
  'entregar entrega delivery motoboy domicilio casa',
  'enviar envio mandar correios entrega frete',
  'frete taxa entrega',
  'demorar demora prazo tempo minutos quando',
  'bairro bairros regiao area raio quilometros km longe',
  'pagar pagamento cartao pix dinheiro debito credito parcelar maquininha forma formas',
  'parcelar parcelado parcela vezes juros credito',
  'vale refeicao alimentacao ticket sodexo alelo vr va cartao',
  'troco dinheiro cedula nota',
  'trocar troca devolver devolucao reembolso estorno arrependimento dinheiro defeito',
  'estacionar estacionamento vaga vagas carro manobrista moto',
  'alergia alergico alergenico alergeno gluten lactose celiaco intolerante contaminacao tracos ingredientes',
  'leite lactose',
  'amendoim castanha nozes alergenico',
  'vegano vegetariano carne animal vegetal',
  'acucar diet zero diabetico light adocante',
  'preco valor custar custo quanto caro barato',
  'endereco onde localizacao rua chegar local esquina',
  'telefone contato ligar whatsapp falar',
  'cachorro cao caes pet filhote animal canino',
  'gato gatos felino gatinho pet animal',
  'banho tosa banhar higienica tosar',
  'feriado natal domingo carnaval pascoa ano novo dezembro janeiro',
  'domingo sabado semana',
  'encomenda encomendar antecedencia reservar reserva antecipado',
  'reserva reservar mesa lugar',
  'aniversario festa evento comemorar comemoracao',
  'refrigerante suco cerveja bebida bebidas agua',
  'minimo minima pedido',
  'cupom desconto promocao oferta fidelidade cashback',
  'nota fiscal cnpj nfe recibo',
  'emprego curriculo vaga trabalhar contratar contratacao',
  'retirar retirada buscar pegar balcao levar',
  'crianca criancas infantil kids brinquedo espaco',
  'vacina vacinar vacinacao antirrabica vermifugo carteirinha raiva',
  'veterinario consulta clinica medico',
  'validade vencer vencido vencimento durar conservar congelar geladeira estragar',
  'congelar congelado freezer',
  'estragado ruim azedo mofado vencido problema reclamacao reclamar',
  'errado faltar faltou engano trocado',
  'cancelar cancelamento desistir desistencia',
  'acessivel acessibilidade cadeirante cadeira rodas rampa deficiente',
  'wifi internet senha',
  'ambiente salao ar livre varanda mesa',
  'hospedar hospedagem hotel hotelzinho viagem diaria',
  'buscar leva traz transporte taxi',
  'remedio medicamento farmacia receita',
  'racao comida alimento',
  'tamanho fatias pedacos pessoas serve porcao',
  'metade meio sabor sabores dois',
  'borda recheada catupiry',
  'fresco fornada quentinho sai forno',
  'hoje agora',
  'emergencia urgencia urgente plantao madrugada',
  'adotar adocao doar doacao',
  'happy dobro chope',
  'atrasar atrasado atraso demora hora minutos',
] as const

function buildRelated(): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map<string, Set<string>>()
  for (const subject of SUBJECTS) {
    const roots = [...new Set(subject.split(' ').map(rootOf))]
    for (const root of roots) {
      const others = related.get(root) ?? new Set()
      for (const other of roots) if (other !== root) others.add(other)
      related.set(root, others)
    }
  }
  return related
}

const RELATED = buildRelated()

/** Roots of the same subject, without `root`. */
export function relatedRoots(root: string): readonly string[] {
  return [...(RELATED.get(root) ?? [])]
}
