// Which page opens first after sign-in.
import { HOME_PAGES } from '@vedette/contract/enumerations.ts';
import { useT } from '../../language/use-t.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { useHomePage } from './home-page.ts';

export function HomePageField() {
  const t = useT();
  const { homePage, choose } = useHomePage();
  return (
    <SelectField
      label={t('overview.homePage')}
      value={homePage}
      options={HOME_PAGES.map((page) => ({ value: page, label: t(`overview.homePage_${page}`) }))}
      onValue={(value) => {
        const page = HOME_PAGES.find((one) => one === value);
        if (page !== undefined) void choose(page);
      }}
    />
  );
}
