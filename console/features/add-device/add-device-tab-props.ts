// Props of each tab of the add device panel.
import type { SelectOption } from '../../ui/fields/select-field.tsx';

export interface AddDeviceTabProps {
  readonly organizations: readonly SelectOption[];
  readonly organizationId: string;
  readonly onClose: () => void;
  /** One device was added, and is to be shown. */
  readonly onAdded: (deviceSerial: string) => void;
}
