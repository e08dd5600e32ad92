import { type LegalClause, LegalLayout } from './legal-layout.tsx'

const TERMS_CLAUSES: readonly LegalClause[] = [
  {
    id: 'servico',
    title: 'O que é o Balcão',
    body: (
      <>
        <p>
          O Balcão é um painel para empresas atenderem seus clientes no WhatsApp. Ele oferece um bot com menu de opções,
          mensagens automáticas, um assistente de inteligência artificial que você liga se quiser, atendimento por
          pessoas divididas em setores e um catálogo de produtos.
        </p>
        <p>
          Nestes termos, “você” é a empresa ou a pessoa que abre a conta, “operador” é quem atende por ela, “cliente” é
          quem conversa com ela, e “administrador” é quem mantém esta instalação do Balcão e aprova as contas.
        </p>
      </>
    ),
  },
  {
    id: 'conta',
    title: 'Sua conta',
    body: (
      <>
        <p>
          Para usar o painel é preciso ter 18 anos ou mais, informar dados verdadeiros e aguardar a aprovação do
          administrador, que avisa por e-mail quando a conta está ativa. Uma conta pode ser recusada ou desativada
          quando descumpre estes termos.
        </p>
        <p>
          Guarde sua senha só para você. O que for feito com ela é tratado como feito por você. Se desconfiar de uso
          indevido, troque a senha: as outras sessões são encerradas na hora.
        </p>
      </>
    ),
  },
  {
    id: 'whatsapp',
    title: 'WhatsApp e o risco de bloqueio',
    body: (
      <>
        <p>
          <strong>O Balcão não tem vínculo com o WhatsApp nem com a Meta.</strong> As marcas citadas pertencem aos seus
          donos.
        </p>
        <p>Há mais de um jeito de conectar o seu número, e eles não são iguais:</p>
        <ul>
          <li>
            <strong>API oficial do WhatsApp Business.</strong> É o caminho previsto pela Meta, com as regras e os preços
            dela, que você contrata diretamente.
          </li>
          <li>
            <strong>Conexão por QR Code.</strong> Usa o recurso de aparelhos conectados e{' '}
            <strong>não é autorizada</strong> pelos termos do WhatsApp. O WhatsApp pode desconectar, limitar ou{' '}
            <strong>banir o número</strong>, por um tempo ou para sempre, sem aviso. Quem escolhe esse caminho aceita o
            risco; recomendamos não usar o número principal da empresa.
          </li>
          <li>
            <strong>Simulador.</strong> Não envia nada para fora e serve para aprender e testar.
          </li>
        </ul>
        <p>
          Mudanças feitas pelo WhatsApp podem interromper a conexão a qualquer momento, e não há como garantir o
          contrário.
        </p>
      </>
    ),
  },
  {
    id: 'uso',
    title: 'Uso correto',
    body: (
      <>
        <p>Com o Balcão você atende quem procurou a sua empresa. Não é permitido:</p>
        <ul>
          <li>enviar mensagens em massa, correntes ou propaganda a quem não pediu;</li>
          <li>enganar, ameaçar, discriminar ou se passar por outra pessoa ou empresa;</li>
          <li>vender ou divulgar o que a lei ou as políticas do WhatsApp proíbem;</li>
          <li>pedir senhas, códigos de confirmação ou números completos de cartão por mensagem;</li>
          <li>tentar acessar dados de outras contas, contornar limites ou prejudicar o serviço.</li>
        </ul>
        <p>
          Encontrou uma falha de segurança? Conte ao administrador antes de qualquer outra pessoa. Quem age de boa-fé
          não será punido por isso.
        </p>
      </>
    ),
  },
  {
    id: 'planos',
    title: 'Planos e limites',
    body: (
      <>
        <p>
          O plano Gratuito vai até 500 mensagens por dia, com menu limitado e sem IA. O plano Doação custa R$ 10,00 por
          mês e vai até 1.000 mensagens por dia, com IA, menu sem limite e suporte. O administrador pode ajustar o
          limite da sua conta, e o valor que vale é o que aparece no painel.
        </p>
        <p>
          Contam as mensagens enviadas aos seus clientes, pelo bot, pela IA ou por operadores. Ao chegar no limite o
          envio para até a meia-noite; o que os clientes escrevem continua sendo recebido. Você pode deixar o plano pago
          quando quiser, e o que já foi pago vale até o fim do mês. Nas contratações feitas a distância por
          consumidores, há sete dias para desistir com devolução do valor.
        </p>
      </>
    ),
  },
  {
    id: 'ia',
    title: 'Assistente de IA',
    body: (
      <>
        <p>
          A IA só funciona se você a ligar e usar uma chave sua, de um provedor externo. O custo e as regras dessa chave
          são entre você e o provedor.
        </p>
        <p>
          Respostas de IA podem estar erradas. Revise as instruções que der a ela, não a use para conselhos médicos,
          jurídicos ou financeiros, e lembre que perante o seu cliente quem responde é a sua empresa. O cliente sempre
          pode escrever “atendente” para falar com uma pessoa.
        </p>
      </>
    ),
  },
  {
    id: 'conteudo',
    title: 'Seu conteúdo',
    body: (
      <p>
        Textos, produtos, imagens e conversas continuam sendo seus. Você nos permite guardá-los e transmiti-los apenas
        para que o serviço funcione, e garante ter o direito de usá-los. Sobre os dados dos seus clientes, valem as
        responsabilidades descritas na política de privacidade.
      </p>
    ),
  },
  {
    id: 'responsabilidade',
    title: 'Disponibilidade e responsabilidade',
    body: (
      <>
        <p>
          Cuidamos para que nenhuma mensagem se perca, mas o serviço depende de internet, energia e de terceiros, e pode
          parar para manutenção ou por falhas. Não prometemos funcionamento sem interrupções.
        </p>
        <p>
          Dentro do que a lei permite, não respondemos por bloqueio de números, vendas perdidas ou decisões tomadas com
          base em respostas automáticas. Nada nestes termos afasta direitos que o Código de Defesa do Consumidor ou a
          LGPD garantem.
        </p>
      </>
    ),
  },
  {
    id: 'encerramento',
    title: 'Encerramento',
    body: (
      <p>
        Você pode pedir o fim da conta ao administrador quando quiser. Ao excluí-la, o bot para e os dados são apagados,
        menos o que a lei manda guardar. Se a conta descumprir estes termos, pode ser suspensa; quando for possível,
        avisamos antes e damos prazo para corrigir.
      </p>
    ),
  },
  {
    id: 'mudancas',
    title: 'Mudanças e lei aplicável',
    body: (
      <p>
        Se estes termos mudarem de forma importante, avisamos no painel ou por e-mail com pelo menos 15 dias de
        antecedência. Vale a lei brasileira. Consumidores podem recorrer ao foro do próprio domicílio.
      </p>
    ),
  },
]

export function TermsScreen() {
  return (
    <LegalLayout
      title="Termos de uso"
      summary="O que você pode esperar do Balcão e o que o Balcão espera de você, em palavras simples."
      effectiveDate="1º de novembro de 2025"
      clauses={TERMS_CLAUSES}
      otherPage={{ to: '/privacy', rotulo: 'Política de privacidade' }}
    />
  )
}
